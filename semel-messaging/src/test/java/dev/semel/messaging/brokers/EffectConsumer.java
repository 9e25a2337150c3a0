package dev.semel.messaging.brokers;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.StoreUri;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.Letter;
import dev.semel.messaging.PostgresServer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * What a consumer process does with its messages: one row per message, in the transaction that also records it.
 *
 * <p>The effect is in the database, so it commits together with its record: whenever the process is killed, both are there
 * or neither is, and nobody has to find out. A row fails now and then before it is written.
 */
public final class EffectConsumer<M> {

    /** A message fails this often on average, which counts an attempt and lets it come again. */
    private static final int ONE_IN = 10;

    /** Nobody is unlucky that often: nothing is to be given up here. */
    private static final int MOST_ATTEMPTS = 1000;

    private final HikariDataSource dataSource;
    private final Inbox<M> inbox;
    private final Function<? super M, String> intents;

    public EffectConsumer(String uri, Function<M, Letter> letters, Function<? super M, String> intents) {
        StoreUri.Postgresql database = (StoreUri.Postgresql) StoreUri.parse(uri);
        this.dataSource = PostgresServer.pool(database);
        SemelEngine semel =
                SemelEngine.on(new PostgresStore(PostgresServer.pool(database))).build();
        // Only the count of a failed attempt is under a lease; one that was killed meanwhile is to be free soon.
        Operation operation =
                Operation.named("consume").failures(Failures.RETRY).lease(Duration.ofSeconds(2));
        this.inbox = Inbox.of(semel, "effects", letters)
                .operation(operation)
                .mostAttempts(MOST_ATTEMPTS)
                .build();
        this.intents = intents;
    }

    public Delivery handle(M message) {
        return inbox.handleInTransaction(message, dataSource, (connection, delivered, attempt) -> {
            if (ThreadLocalRandom.current().nextInt(ONE_IN) == 0) {
                throw new IllegalStateException("now and then");
            }
            EffectTable.insert(connection, intents.apply(delivered));
            // Whoever kills this process kills it here, in the middle.
            System.out.println(KilledConsumers.WRITTEN);
        });
    }
}
