package dev.semel.examples.payments;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.payments.orders.Orders;
import dev.semel.examples.payments.provider.Provider;
import dev.semel.examples.payments.provider.ProviderMain;
import dev.semel.examples.payments.provider.WebhookSettings;
import dev.semel.examples.payments.provider.WebhookSigner;
import dev.semel.jdbc.StoreUri;
import dev.semel.redis.uri.RedisUri;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The demo: the payments application and its provider in one process, and clients that retry. */
@Command(
        name = "semel demo",
        description = "Starts the payments example and a simulated provider, and sends them retries.",
        usageHelpAutoWidth = true,
        sortOptions = false)
public final class Demo implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "of the payments API; 0 for any (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--provider-port",
            paramLabel = "PORT",
            defaultValue = "8090",
            description = "of the simulated provider; 0 for any (${DEFAULT-VALUE})")
    private int providerPort;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "memory:, sqlite:PATH, postgresql://USER:PASSWORD@HOST/DATABASE, or redis://, rediss://,"
                    + " redis-sentinel:// or redis-cluster:// with USER:PASSWORD@HOST (sqlite in the data directory)")
    private @Nullable String store;

    @Option(
            names = "--tier",
            paramLabel = "URI",
            description = "a Redis in front of the database, for faster replays: redis://USER:PASSWORD@HOST")
    private @Nullable String tier;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ".semel/demo",
            description = "holds the database and the provider's ledger (${DEFAULT-VALUE})")
    private Path data = Path.of(".");

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = ProviderMain.DurationConverter.class,
            description = "how long after a crash a key counts as still running (${DEFAULT-VALUE})")
    private Duration lease = Duration.ZERO;

    @Option(names = "--no-traffic", description = "start without sending sample requests")
    private boolean noTraffic;

    @SuppressWarnings("unused") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    public static void main(String[] args) {
        int status = new CommandLine(new Demo())
                .setParameterExceptionHandler((failure, ignored) -> fail(2, failure.getMessage()))
                .setExecutionExceptionHandler((failure, command, parsed) -> fail(1, failure.getMessage()))
                .execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    private static int fail(int status, @Nullable String message) {
        System.err.println("demo: " + String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " "));
        return status;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        requirePort("--port", port);
        requirePort("--provider-port", providerPort);
        requireLease();
        String storeUri = storeUri(data);
        requireTier(storeUri);
        Path directory = directory();
        requireFree(port);
        Provider provider = startProvider(directory);
        ConfigurableApplicationContext context = startApplication(storeUri, provider.uri());
        URI application = PaymentsApplication.addressOf(context);
        String secret = context.getBean(PaymentsProperties.class).webhookSecret();
        provider.sendWebhooks(
                WebhookSettings.to(application.resolve("/webhooks/provider").toString(), WebhookSigner.of(secret)));
        DemoTraffic traffic =
                new DemoTraffic(application, provider.uri(), context.getBean(SemelEngine.class), System.out);
        if (!noTraffic) {
            traffic.run();
        }
        System.out.println("Semel demo is ready: " + application);
        System.out.println("Console: " + application.resolve("/semel/console/"));
        System.out.println(invitation(
                application,
                provider.uri(),
                !context.getBeansOfType(Orders.class).isEmpty()));
        if (!noTraffic) {
            traffic.runUnknown();
        }
        return 0;
    }

    private void requirePort(String option, int value) {
        if (value < 0 || value > LAST_PORT) {
            throw wrong(option + " is " + value + ", it must be between 0 and " + LAST_PORT);
        }
    }

    private void requireLease() {
        try {
            Operation.named("demo").lease(lease);
        } catch (IllegalArgumentException e) {
            throw wrong("--lease: " + e.getMessage());
        }
    }

    /** The store's URI, checked; as text, since only that includes the password. */
    private String storeUri(Path directory) {
        if (store == null && directory.toString().contains("?")) {
            throw wrong(
                    "--data: a path with a question mark cannot hold the database; choose another, or name a --store");
        }
        if (store == null) {
            return "sqlite:" + directory.resolve("semel.db");
        }
        try {
            shown(store);
            return store;
        } catch (IllegalArgumentException e) {
            throw wrong("--store: " + e.getMessage());
        }
    }

    /** A store's URI without its password. */
    private static String shown(String uri) {
        return (RedisUri.isRedis(uri) ? RedisUri.parse(uri) : StoreUri.parse(uri)).toString();
    }

    private void requireTier(String storeUri) {
        if (tier == null) {
            return;
        }
        if (RedisUri.isRedis(storeUri) || storeUri.startsWith("memory:")) {
            throw wrong("--tier: Redis goes in front of a database, but --store names none; choose one with --store");
        }
        try {
            RedisUri.parse(tier);
        } catch (IllegalArgumentException e) {
            throw wrong("--tier: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private Path directory() throws IOException {
        try {
            Path directory = Files.createDirectories(data.toAbsolutePath().normalize());
            if (!Files.isWritable(directory)) {
                throw new DemoFailure("the data directory " + directory + " is not writable");
            }
            return directory;
        } catch (IOException e) {
            throw new DemoFailure("the data directory " + data + " cannot be created: " + e);
        }
    }

    /** Checks the port before anything else is started, for a shorter message than Spring's. */
    private static void requireFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            socket.getLocalPort();
        } catch (BindException e) {
            throw portInUse(port, "--port");
        }
    }

    private static DemoFailure portInUse(int port, String option) {
        return new DemoFailure("port " + port + " is in use; choose another with " + option + " (0 for any)");
    }

    private Provider startProvider(Path directory) throws IOException {
        try {
            return Provider.start(providerPort, directory.resolve("provider"));
        } catch (BindException e) {
            throw portInUse(providerPort, "--provider-port");
        }
    }

    private ConfigurableApplicationContext startApplication(String storeUri, URI provider) {
        ConfigurableApplicationContext application;
        try {
            List<String> arguments = new ArrayList<>(List.of(
                    "--server.port=" + port,
                    "--semel.store=" + storeUri,
                    "--payments.provider=" + provider,
                    "--semel.defaults.lease=" + lease,
                    // The demo itself prints a failure to start, in one line.
                    "--logging.level.root=off"));
            if (tier != null) {
                arguments.add("--semel.tier=" + tier);
            }
            application = PaymentsApplication.start(arguments.toArray(String[]::new));
        } catch (RuntimeException e) {
            throw DemoFailure.starting(shown(storeUri), e);
        }
        LoggingSystem.get(Demo.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
        return application;
    }

    private static String invitation(URI application, URI provider, boolean orders) {
        String suffix = UUID.randomUUID().toString();
        String order = orders ? """

                Place an order; order and record are one transaction (p-1 to p-5 in plenty, 3 of p-scarce):

                  curl -i %1$s/orders \\
                    -H 'Authorization: Bearer sk_test_acme' \\
                    -H 'Idempotency-Key: basket-%2$s' \\
                    -H 'Content-Type: application/json' \\
                    -d '{"items":[{"productId":"p-1","quantity":2},{"productId":"p-scarce","quantity":1}]}'
                """.formatted(application, suffix) : """

                Without a database there are no orders, and the payments themselves are kept in memory.
                """;
        return """

                Try it: send this payment twice. You get the same 201 both times, and one charge.

                  curl -i %1$s/payments \\
                    -H 'Authorization: Bearer sk_test_acme' \\
                    -H 'Idempotency-Key: order-%3$s' \\
                    -H 'Content-Type: application/json' \\
                    -d '{"customerId":"cus_1","amountCents":1999,"currency":"EUR"}'

                See what the provider charged:

                  curl %2$s/ledger
                %4$s
                Ask for the state of a key, without executing anything:

                  curl -i %1$s/idempotency/status \\
                    -H 'Authorization: Bearer sk_test_acme' \\
                    -H 'Idempotency-Key: order-%3$s'

                See the health of the store, and the metrics for Prometheus:

                  curl %1$s/actuator/health
                  curl %1$s/actuator/prometheus

                Ctrl-C stops the demo and keeps its data.""".formatted(application, provider, suffix, order);
    }
}
