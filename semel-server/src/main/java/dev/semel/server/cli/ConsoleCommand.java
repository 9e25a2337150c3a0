package dev.semel.server.cli;

import dev.semel.admin.AdminApi;
import dev.semel.admin.Finding;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.TokenFile;
import dev.semel.engine.SemelEngine;
import dev.semel.server.console.ConsoleServer;
import dev.semel.server.console.oidc.OidcLogin;
import dev.semel.server.gateway.config.HostPort;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the console on a store. */
@Command(
        name = "console",
        description =
                "Serves the console and the admin API of a store: on loopback and read-only, unless told otherwise.",
        subcommands = ConsoleTokenCommand.class)
final class ConsoleCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private SecretOption secret = new SecretOption();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8090",
            description = "Where to listen (${DEFAULT-VALUE}). An address that other machines reach needs --tokens or"
                    + " --oidc-issuer.")
    private String listen = "";

    @Option(names = "--write", description = "Lets people settle, requeue, forget and prune.")
    private boolean write;

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description = "People who may log in: a file of lines that 'console token' makes.")
    private @Nullable Path tokens;

    @Option(
            names = "--approvals",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many people it takes to settle an outcome, 1 or 2 (${DEFAULT-VALUE}).")
    private int approvals;

    @Mixin
    private OidcOptions oidc = new OidcOptions();

    @Override
    public Integer call() {
        HostPort address = valid("--listen: ", () -> HostPort.parse(listen));
        boolean loopback = isLoopback(address.host());
        Authenticator access = access(loopback, address);
        StoreLocation location = store.location();
        try (SemelEngine semel = secret.engine(store.open())) {
            AdminApi api = valid(
                    "",
                    () -> AdminApi.on(semel, access)
                            .writes(write)
                            .approvals(approvals)
                            .loopbackOnly(access.kind().equals("none"))
                            .storeName(location.toString())
                            .doctor(() -> findings(location))
                            .build());
            serve(api, address);
        }
        return ExitCode.OK;
    }

    private Authenticator access(boolean loopback, HostPort address) {
        Path file = tokens;
        if (oidc.isGiven()) {
            if (file != null) {
                throw new ParameterException(spec.commandLine(), "give --tokens or --oidc-issuer, not both");
            }
            return valid("--oidc-issuer: ", () -> new OidcLogin(oidc.config("http://" + address), AdminTime.system()));
        }
        if (file != null) {
            return valid("--tokens: ", () -> new TokenFile(file));
        }
        if (!loopback) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--listen: other machines reach this address, so that people must log in: add --tokens FILE or --oidc-issuer URL");
        }
        return Authenticator.none(System.getProperty("user.name", "local"));
    }

    private void serve(AdminApi api, HostPort address) {
        try (ConsoleServer server = ConsoleServer.start(api, address.host(), address.port())) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("Semel console: http://" + new HostPort(address.host(), server.port()) + "/semel/console/"
                    + (write ? "" : " (read-only; --write lets people settle)"));
            out.flush();
            awaitShutdown();
        }
    }

    private static void awaitShutdown() {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown, "semel-console-shutdown"));
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static List<Finding> findings(StoreLocation location) {
        return location.check().stream()
                .map(result -> new Finding(result.level().name().toLowerCase(Locale.ROOT), result.text()))
                .toList();
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private <T> T valid(String what, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), what + e.getMessage(), e);
        }
    }
}
