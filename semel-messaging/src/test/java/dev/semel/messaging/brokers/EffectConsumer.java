package dev.semel.messaging.brokers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.TestDatabases;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * Handles the messages of a consumer process: one row per message, in the transaction that also records it.
 *
 * <p>The effect commits together with its record: whenever the process is killed, both exist or neither does. One message in
 * ten fails before its row is written.
 */
public final class EffectConsumer<M> {

    /** One message in this many fails on average, is counted as an attempt, and is redelivered. */
    private static final int ONE_IN = 10;

    /** More than random failures can reach: no message may become a dead letter here. */
    private static final int MOST_ATTEMPTS = 1000;

    private final HikariDataSource dataSource;
    private final Inbox<M> inbox;
    private final Function<? super M, String> intents;

    public EffectConsumer(String uri, Function<M, MessageIdentity> identities, Function<? super M, String> intents) {
        StoreUri.Postgresql database = (StoreUri.Postgresql) StoreUri.parse(uri);
        this.dataSource = TestDatabases.pool(database);
        SemelEngine semel =
                SemelEngine.on(new PostgresStore(TestDatabases.pool(database))).build();
        // Only the count of a failed attempt has a lease; after a kill in between it must expire soon.
        Operation operation =
                Operation.named("consume").failures(Failures.RETRY).lease(Duration.ofSeconds(2));
        this.inbox = Inbox.of(semel, "effects", identities)
                .operation(operation)
                .maxAttempts(MOST_ATTEMPTS)
                .build();
        this.intents = intents;
    }

    public Delivery handle(M message) {
        return inbox.handleInTransaction(message, dataSource, (connection, delivered, attempt) -> {
            if (ThreadLocalRandom.current().nextInt(ONE_IN) == 0) {
                throw new IllegalStateException("now and then");
            }
            EffectTable.insert(connection, intents.apply(delivered));
            // The test kills the process after it has read this line, before the commit.
            System.out.println(KilledConsumers.WRITTEN);
        });
    }
}
