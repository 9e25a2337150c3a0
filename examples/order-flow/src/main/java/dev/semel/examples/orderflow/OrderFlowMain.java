package dev.semel.examples.orderflow;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Semel;
import dev.semel.examples.orderflow.servers.MailService;
import dev.semel.examples.orderflow.servers.OwnKafka;
import dev.semel.examples.orderflow.servers.OwnPostgres;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.StoreUri;
import dev.semel.messaging.kafka.KafkaPublisher;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts the flow, on servers that it is given, or that it starts itself. */
@Command(
        name = "semel order-flow",
        description = "Takes orders over HTTP, tells of them by Kafka, and confirms each by one mail.",
        usageHelpAutoWidth = true,
        sortOptions = false)
public final class OrderFlowMain implements Callable<Integer> {

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
            description = "postgresql://USER:PASSWORD@HOST/DATABASE (starts one that forgets everything when it ends)")
    private @Nullable String database;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "a broker that has the topic orders (starts one that forgets everything when it ends)")
    private @Nullable String kafka;

    @Option(
            names = "--mails",
            paramLabel = "FILE",
            description = "where the simulated provider keeps the mails that it has sent (a temporary file)")
    private @Nullable Path mails;

    @SuppressWarnings("unused") // picocli reads it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    private boolean help;

    private OrderFlowMain() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new OrderFlowMain())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    System.err.println("semel order-flow: " + failure.getMessage());
                    return 1;
                })
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path sent = mails == null ? Files.createTempDirectory("order-flow").resolve("mails") : mails;
        try (MailService provider = MailService.start(mailPort, sent)) {
            if (database != null) {
                return on(database, provider);
            }
            System.out.println("Starting PostgreSQL …");
            try (OwnPostgres server = OwnPostgres.start()) {
                return on(server.uri(), provider);
            }
        }
    }

    private int on(String uri, MailService provider) throws Exception {
        if (kafka != null) {
            return run(uri, kafka, provider.uri());
        }
        System.out.println("Starting Kafka …");
        try (OwnKafka broker = OwnKafka.start(OrderFlow.TOPIC)) {
            return run(uri, broker.servers(), provider.uri());
        }
    }

    private int run(String uri, String brokers, URI provider) throws Exception {
        Settings settings = Settings.of(port, brokers);
        if (!(StoreUri.parse(uri) instanceof StoreUri.Postgresql postgresql)) {
            System.err.println("--database is " + uri + ": the outbox needs PostgreSQL, postgresql://HOST/DATABASE");
            return 2;
        }
        try (HikariDataSource pool = postgresql.dataSource();
                Semel semel = Semel.on(new PostgresStore(pool)).build();
                KafkaPublisher publisher = KafkaPublisher.to(settings.kafka());
                OrderFlow flow = new OrderFlow(settings, semel, pool, publisher, new MailClient(provider))) {
            System.out.printf("""

                    Orders are taken at %s/orders. Send the same twice:

                      curl -i %s/orders -H 'X-Account: acme' -H 'Idempotency-Key: order-1' \\
                        -H 'Content-Type: application/json' -d '{"customer":"ann@example.com","item":"a lamp"}'

                    and see one mail: curl %s/mails

                    Ctrl-C ends it.
                    """, flow.uri(), flow.uri(), provider);
            new CountDownLatch(1).await();
            return 0;
        }
    }
}
