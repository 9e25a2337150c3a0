package dev.semel.examples.orderflow;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.orderflow.servers.MailService;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.kafka.KafkaPublisher;
import dev.semel.testsupport.servers.KafkaBroker;
import dev.semel.testsupport.servers.PostgresServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts the flow on the given servers, or on servers that it starts itself. */
@Command(
        name = "semel order-flow",
        description = "Takes orders over HTTP, announces them by Kafka, and confirms each by one mail.",
        usageHelpAutoWidth = true,
        sortOptions = false)
public final class OrderFlowMain implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "of the orders API; 0 for any (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--mail-port",
            paramLabel = "PORT",
            defaultValue = "8090",
            description = "of the simulated mail provider; 0 for any (${DEFAULT-VALUE})")
    private int mailPort;

    @Option(
            names = "--database",
            paramLabel = "URI",
            description = "postgresql://USER:PASSWORD@HOST/DATABASE (without it: a temporary one)")
    private @Nullable String database;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "a broker that has the topic orders (without it: a temporary one)")
    private @Nullable String kafka;

    @Option(
            names = "--mails",
            paramLabel = "FILE",
            description = "the file that the simulated provider writes sent mails to (without it: a temporary one)")
    private @Nullable Path mails;

    @SuppressWarnings("unused") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    private OrderFlowMain() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new OrderFlowMain())
                .setParameterExceptionHandler((failure, ignored) -> fail(2, failure.getMessage()))
                .setExecutionExceptionHandler((failure, command, parsed) -> fail(1, failure.getMessage()))
                .execute(arguments);
    }

    private static int fail(int status, @Nullable String message) {
        System.err.println(
                "semel order-flow: " + String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " "));
        return status;
    }

    private void requirePort(String option, int value) {
        if (value < 0 || value > LAST_PORT) {
            throw wrong(option + " is " + value + ", it must be between 0 and " + LAST_PORT);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Validates the URI before any server is started. */
    private void requireDatabase(String uri) {
        try {
            if (!(StoreUri.parse(uri) instanceof StoreUri.Postgresql)) {
                throw wrong("--database: the outbox needs PostgreSQL, postgresql://USER:PASSWORD@HOST/DATABASE");
            }
        } catch (IllegalArgumentException e) {
            throw wrong("--database: " + e.getMessage());
        }
    }

    @Override
    public Integer call() throws Exception {
        requirePort("--port", port);
        requirePort("--mail-port", mailPort);
        if (database != null) {
            requireDatabase(database);
        }
        Path sent = mails == null ? Files.createTempDirectory("order-flow").resolve("mails") : mails;
        try (MailService provider = MailService.start(mailPort, sent)) {
            if (database != null) {
                return on(database, provider);
            }
            System.out.println("Starting PostgreSQL …");
            try (PostgresServer server = PostgresServer.start()) {
                return on(server.uri(), provider);
            }
        }
    }

    private int on(String uri, MailService provider) throws Exception {
        if (kafka != null) {
            return run(uri, kafka, provider.uri());
        }
        System.out.println("Starting Kafka …");
        try (KafkaBroker broker = KafkaBroker.start(Map.of())) {
            broker.createTopic(OrderFlow.TOPIC, 1);
            return run(uri, broker.servers(), provider.uri());
        }
    }

    private int run(String uri, String brokers, URI provider) throws Exception {
        Settings settings = Settings.of(port, brokers);
        StoreUri.Postgresql postgresql = (StoreUri.Postgresql) StoreUri.parse(uri);
        try (HikariDataSource pool = postgresql.dataSource();
                SemelEngine semel = SemelEngine.on(new PostgresStore(pool)).build();
                KafkaPublisher publisher = KafkaPublisher.to(settings.kafka());
                OrderFlow flow = new OrderFlow(settings, semel, pool, publisher, new MailClient(provider))) {
            System.out.printf("""

                    Orders are taken at %s/orders. Send the same twice:

                      curl -i %s/orders -H 'X-Account: acme' -H 'Idempotency-Key: order-1' \\
                        -H 'Content-Type: application/json' -d '{"customer":"ann@example.com","item":"a lamp"}'

                    and see one mail: curl %s/mails

                    Its database is %s. Look at the record of this key:

                      ./semel keys show --store %s acme order-1

                    Ctrl-C ends it.
                    """, flow.uri(), flow.uri(), provider, postgresql, postgresql);
            new CountDownLatch(1).await();
            return 0;
        }
    }
}
