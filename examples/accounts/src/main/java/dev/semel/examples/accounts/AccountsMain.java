package dev.semel.examples.accounts;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts the accounts, which keep their data in a directory. */
@Command(
        name = "semel accounts",
        description = "Takes commands to accounts over HTTP. A repeated commandId returns the first result.",
        usageHelpAutoWidth = true,
        sortOptions = false)
public final class AccountsMain implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--port", defaultValue = "8080", description = "of the API; 0 for any (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--directory",
            defaultValue = ".semel/accounts",
            description = "where accounts and records are kept (${DEFAULT-VALUE})")
    private Path directory = Path.of("");

    @Option(
            names = "--retention",
            defaultValue = "PT24H",
            description = "how long results are recorded, such as PT24H (${DEFAULT-VALUE})")
    private Duration retention = Duration.ZERO;

    @Option(
            names = "--prune-every",
            defaultValue = "PT10M",
            description = "how often expired records are deleted, such as PT10M (${DEFAULT-VALUE})")
    private Duration pruneEvery = Duration.ZERO;

    @SuppressWarnings("unused") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    private AccountsMain() {}

    public static void main(String[] arguments) {
        // Without it, the JDK's server delays small answers on connections that stay open by 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new AccountsMain())
                .setParameterExceptionHandler((failure, ignored) -> fail(2, failure.getMessage()))
                .setExecutionExceptionHandler((failure, command, parsed) -> fail(1, failure.getMessage()))
                .execute(arguments);
    }

    private static int fail(int status, @Nullable String message) {
        System.err.println("semel accounts: " + String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " "));
        return status;
    }

    @Override
    public Integer call() throws Exception {
        if (port < 0 || port > LAST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), "--port is " + port + ", it must be between 0 and " + LAST_PORT);
        }
        if (pruneEvery.isNegative() || pruneEvery.isZero()) {
            throw new ParameterException(
                    spec.commandLine(), "--prune-every is " + pruneEvery + ", it must be positive");
        }
        try (Accounts accounts = Accounts.open(directory, retention, pruneEvery);
                AccountsServer server = AccountsServer.start(accounts, port)) {
            System.out.printf("""
                    Accounts: %1$s

                    Send each of these twice; kill the program in between, if you like:

                      curl -i %1$s/commands -d '{"commandId":"c-1","type":"create","account":"alice"}'
                      curl -i %1$s/commands -d '{"commandId":"c-2","type":"deposit","account":"alice","amountCents":5000}'
                      curl -i %1$s/commands -d '{"commandId":"c-3","type":"withdraw","account":"alice","amountCents":1200}'
                      curl -i %1$s/accounts/alice

                    What happened to a command, from another terminal:

                      ./semel keys show --store sqlite:%2$s command c-2

                    Ctrl-C ends it.
                    """, server.uri(), directory.resolve("semel.db"));
            new CountDownLatch(1).await();
            return 0;
        } catch (BindException e) {
            throw new IOException("port " + port + " is in use; choose another with --port (0 for any)", e);
        }
    }
}
