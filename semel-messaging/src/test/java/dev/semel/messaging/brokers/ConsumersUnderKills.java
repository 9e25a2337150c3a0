package dev.semel.messaging.brokers;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.messaging.PostgresServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Consumers of a queue in processes of their own that are killed throughout, with effects that nothing but the inbox keeps
 * from happening twice.
 *
 * <p>By default 200 messages; {@code -Dsemel.messages=20000} makes it the long run of docs/evidence/brokers.md.
 */
@Timeout(1200)
public abstract class ConsumersUnderKills {

    private final Class<?> consumer;
    private final String broker;

    /** @param consumer a program whose arguments are the broker, the queue, and the database */
    protected ConsumersUnderKills(Class<?> consumer, String broker) {
        this.consumer = consumer;
        this.broker = broker;
    }

    /** A new queue that holds these messages, confirmed. */
    protected abstract String queueOf(List<String> intents) throws Exception;

    /** How many messages nobody has acknowledged. */
    protected abstract long depth(String queue);

    @Test
    void have_handled_each_message_once_in_the_end_and_lost_none() throws Exception {
        Intents intents = Intents.configured();
        StoreUri.Postgresql database = PostgresServer.newDatabase();
        PostgresServer.execute(database, EffectTable.DDL);
        String queue = queueOf(intents.published());
        try (KilledConsumers consumers = KilledConsumers.start(
                intents.killEvery(), intents.kills(), consumer, broker, queue, database.toString())) {
            await().atMost(Duration.ofMinutes(19)).until(() -> depth(queue) == 0);
            assertThat(consumers.kills()).isEqualTo(intents.kills());
        }
        try (HikariDataSource dataSource = PostgresServer.pool(database)) {
            EffectTable effects = new EffectTable(dataSource);
            assertThat(effects.intents()).as("nothing is lost").isEqualTo(intents.count());
            assertThat(effects.rows()).as("nothing is done twice").isEqualTo(intents.count());
        }
    }
}
