package dev.semel.messaging.brokers;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.messaging.TestDatabases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Consumers of a queue in separate processes that are killed repeatedly, with effects that only the inbox keeps from happening
 * twice.
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

    /** The number of messages that are not acknowledged. */
    protected abstract long depth(String queue);

    @Test
    void handle_each_message_once_and_lose_none() throws Exception {
        Intents intents = Intents.configured();
        StoreUri.Postgresql database = TestDatabases.newDatabase();
        TestDatabases.execute(database, EffectTable.DDL);
        String queue = queueOf(intents.published());
        try (KilledConsumers consumers = KilledConsumers.start(
                intents.killEvery(), intents.kills(), consumer, broker, queue, database.toString())) {
            await().atMost(Duration.ofMinutes(19)).until(() -> depth(queue) == 0);
            assertThat(consumers.kills()).isEqualTo(intents.kills());
        }
        try (HikariDataSource dataSource = TestDatabases.pool(database)) {
            EffectTable effects = new EffectTable(dataSource);
            assertThat(effects.intents()).as("distinct intents with an effect").isEqualTo(intents.count());
            assertThat(effects.rows()).as("effects").isEqualTo(intents.count());
        }
    }
}
