package dev.semel.examples.federation;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the demo, or one of the two banks. */
@Command(
        name = "semel federation",
        description =
                "Two banks in two processes: bank-a asks bank-b to credit an account, over HTTP and in JSON. Without a"
                        + " command, a demo of duplicates, lost answers and a killed bank.",
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT)
public final class FederationMain implements Callable<Integer> {

    private FederationMain() {}

    public static void main(String[] arguments) {
        // Without it, the JDK's server delays small answers on connections that stay open by 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new FederationMain())
                .addSubcommand(new Receive())
                .addSubcommand(new Send())
                .setParameterExceptionHandler((failure, ignored) -> fail(2, failure.getMessage()))
                .setExecutionExceptionHandler((failure, command, parsed) -> fail(1, failure.getMessage()))
                .execute(arguments);
    }

    private static int fail(int status, @Nullable String message) {
        System.err.println(
                "semel federation: " + String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " "));
        return status;
    }

    @Override
    public Integer call() throws Exception {
        new Demo(System.out).run();
        return 0;
    }

    /** Runs bank-b. */
    @Command(name = "receive", description = "Runs bank-b, until it is stopped.", sortOptions = false)
    private static final class Receive implements Callable<Integer> {

        @Option(names = "--port", defaultValue = "8090", description = "0 for any (${DEFAULT-VALUE})")
        private int port;

        @Option(
                names = "--directory",
                defaultValue = ".semel/federation",
                description = "where bank-b keeps its data (${DEFAULT-VALUE})")
        private Path directory = Path.of("");

        @Option(
                names = "--lose-answer",
                paramLabel = "ID",
                description = "close the connection instead of the first answer to this message; may be repeated")
        private Set<String> losing = Set.of();

        @Override
        public Integer call() throws Exception {
            try (Receiver receiver = Receiver.start(directory, port, losing)) {
                System.out.println(Receiver.NAME + ": " + receiver.uri());
                new CountDownLatch(1).await();
                return 0;
            } catch (BindException e) {
                throw new IOException("port " + port + " is in use; choose another with --port (0 for any)", e);
            }
        }
    }

    /** Sends one message as bank-a. */
    @Command(name = "send", description = "Sends one message as bank-a, until the reply is final.", sortOptions = false)
    private static final class Send implements Callable<Integer> {

        @Option(names = "--to", defaultValue = "http://127.0.0.1:8090", description = "bank-b (${DEFAULT-VALUE})")
        private URI to = URI.create("");

        @Option(names = "--id", required = true, description = "the same for every repetition")
        private String id = "";

        @Option(names = "--account", defaultValue = "bob", description = "alice or bob (${DEFAULT-VALUE})")
        private String account = "";

        @Option(names = "--amount-cents", defaultValue = "5000", description = "(${DEFAULT-VALUE})")
        private long amountCents;

        @Override
        public Integer call() throws Exception {
            Sender.Sent sent = new Sender("bank-a", to).send(id, "credit", Demo.credit(account, amountCents));
            System.out.println(new String(Wire.write(sent.reply()), StandardCharsets.UTF_8));
            return 0;
        }
    }
}
