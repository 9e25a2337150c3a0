package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.TestDatabases;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.outbox.OutboxMessage;
import dev.semel.messaging.outbox.OutboxRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker names the leader of a new partition before it has created the partition (KAFKA-14359, KAFKA-15591). */
@DisplayName("A topic whose partition is not created yet")
@Timeout(300)
class NewTopicIT {

    private static final int MESSAGES = 20;

    /** So large that a Kafka batch holds one. */
    private static final int LARGE = 100_000;

    private static final Duration LONG = Duration.ofMinutes(4);

    /** Short, so that a refused batch does not delay a failing test by two minutes. */
    private static final Map<String, Object> QUICK =
            Map.of("delivery.timeout.ms", 60_000, "request.timeout.ms", 30_000);

    private static LateBroker broker;

    private HikariDataSource database;

    @BeforeAll
    static void start() {
        broker = LateBroker.start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void open() throws Exception {
        StoreUri.Postgresql uri = TestDatabases.newDatabase();
        TestDatabases.execute(uri, Outbox.ddl());
        database = TestDatabases.pool(uri);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void write(String topic) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (OutboxMessage message : messages(topic)) {
                Outbox.add(connection, message);
            }
            connection.commit();
        }
    }

    private static List<OutboxMessage> messages(String topic) {
        return all().stream()
                .map(id -> new OutboxMessage(topic, "customer-1", id, new byte[LARGE]))
                .toList();
    }

    private static List<String> ids(String topic) {
        return KafkaServer.read(broker.servers(), topic).stream()
                .map(message -> KafkaServer.text(message.headers()
                        .lastHeader(KafkaMessageIds.DEFAULT_HEADER)
                        .value()))
                .toList();
    }

    private static List<String> all() {
        return IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
    }

    /** Fails with the producer's default of five requests in flight: the first batch is refused until it expires. */
    @Test
    void receives_all_messages_of_an_outbox_in_order_although_the_first_batch_was_refused() throws Exception {
        String topic = "first-batch-refused";
        write(topic);
        Map<String, Object> settings = new HashMap<>(QUICK);
        settings.put("bootstrap.servers", broker.servers());
        try (LateBroker.Late late = broker.late(topic);
                KafkaPublisher publisher = KafkaPublisher.to(settings);
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThat(relay.runOnce()).isEqualTo(MESSAGES);
            assertThat(late.writes()).isGreaterThan(1);
        }
        assertThat(ids(topic)).isEqualTo(all());
    }

    /** With several requests in flight the later dead letters arrived twice, once before and once after the first one. */
    @Test
    void receives_each_dead_letter_once_in_order_although_the_first_batch_was_refused() throws Exception {
        String topic = "dead-letters-refused";
        broker.createTopic(topic);
        Map<String, Object> settings = new HashMap<>(QUICK);
        settings.put("bootstrap.servers", broker.servers());
        settings.put("group.id", "group");
        try (LateBroker.Late late = broker.late(topic + DeadLetterTopic.SUFFIX);
                SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
                KafkaPublisher publisher = KafkaPublisher.to(Map.of("bootstrap.servers", broker.servers()));
                KafkaInbox inbox = KafkaInbox.of(semel, settings)
                        .topics(topic)
                        .handler((message, attempt) -> {
                            throw new IllegalStateException("poison");
                        })
                        .maxAttempts(1)
                        .build()) {
            publisher.publish(messages(topic));
            new Thread(inbox).start();
            await().atMost(LONG).until(() -> late.writes() > 1);
            await().atMost(LONG).until(() -> KafkaServer.lag(broker.servers(), "group", topic, 1) == 0);
        }
        assertThat(ids(topic + DeadLetterTopic.SUFFIX)).isEqualTo(all());
    }

    @Test
    void loses_nothing_of_a_batch_that_expires() throws Exception {
        String topic = "expires";
        write(topic);
        try (LatePartitions late = LatePartitions.of(topic)) {
            Map<String, Object> impatient = Map.of(
                    "bootstrap.servers", broker.servers(), "delivery.timeout.ms", 2_000, "request.timeout.ms", 1_000);
            try (KafkaPublisher publisher = KafkaPublisher.to(impatient);
                    OutboxRelay relay = new OutboxRelay(database, publisher)) {
                assertThatThrownBy(relay::runOnce).hasCauseInstanceOf(TimeoutException.class);
            }
            assertThat(late.areHeld()).isTrue();
            assertThat(waiting()).isEqualTo(MESSAGES);
        }
        broker.awaitPartition(topic);
        try (KafkaPublisher publisher = KafkaPublisher.to(Map.of("bootstrap.servers", broker.servers()));
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            while (waiting() > 0) {
                relay.runOnce();
            }
        }
        assertThat(ids(topic)).isEqualTo(all());
    }

    private int waiting() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM semel_outbox")) {
            row.next();
            return row.getInt(1);
        }
    }
}
