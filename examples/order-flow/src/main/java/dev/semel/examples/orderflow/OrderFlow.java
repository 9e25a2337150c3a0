package dev.semel.examples.orderflow;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.outbox.OutboxRelay;
import dev.semel.messaging.outbox.Publisher;
import java.net.URI;
import java.sql.PreparedStatement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The whole flow in one process: orders are placed over HTTP, announced by Kafka and confirmed by mail, each once.
 *
 * <pre>
 *   HTTP ── one transaction ──────────────┐      ┌─ Kafka ─┐
 *           record · order · outbox row   ├ relay┤         ├ inbox ─ mail
 *                                         ┘      └─────────┘
 * </pre>
 *
 * <p>Any number of processes can run it on one database and one broker.
 */
final class OrderFlow implements AutoCloseable {

    static final String TOPIC = "orders";

    /** Mails may be late by this pause. */
    private static final Duration RELAY_PAUSE = Duration.ofMillis(100);

    private final Shop shop;
    private final OutboxRelay relay;
    private final Mailer mailer;

    OrderFlow(Settings settings, SemelEngine semel, DataSource database, Publisher publisher, Mails mails)
            throws Exception {
        Orders orders = new Orders();
        createTables(database, orders);
        mailer = new Mailer(settings, semel, database, orders, mails).start();
        relay = new OutboxRelay(database, publisher).start(RELAY_PAUSE);
        shop = new Shop(semel, database, orders, settings.port());
    }

    /** Locked: PostgreSQL's IF NOT EXISTS does not see a table that another transaction is creating. */
    private static void createTables(DataSource database, Orders orders) throws Exception {
        Transactions.run(database, connection -> {
            try (PreparedStatement lock =
                    connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtext('order-flow'))")) {
                lock.execute();
            }
            orders.createTables(connection);
            Outbox.createTable(connection);
            return TOPIC;
        });
    }

    URI uri() {
        return shop.uri();
    }

    @Override
    public void close() {
        shop.close();
        relay.close();
        mailer.close();
    }
}
