package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.messaging.TestDatabases;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.outbox.OutboxMessage;
import dev.semel.messaging.outbox.OutboxRelay;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A Kafka outbox publisher")
class KafkaPublisherIT {

    private HikariDataSource database;
    private String topic;

    @BeforeEach
    void open() throws Exception {
        StoreUri.Postgresql uri = TestDatabases.newDatabase();
        TestDatabases.execute(uri, Outbox.ddl());
        database = TestDatabases.pool(uri);
        topic = KafkaServer.newTopic(2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Map<String, Object> broker() {
        return Map.of("bootstrap.servers", KafkaServer.servers());
    }

    private OutboxMessage message(String id) {
        return new OutboxMessage(topic, "customer-1", id, KafkaServer.bytes("text of " + id));
    }

    private void write(OutboxMessage... messages) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (OutboxMessage message : messages) {
                Outbox.add(connection, message);
            }
            connection.commit();
        }
    }

    private static List<String> ids(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream()
                .map(record -> KafkaServer.text(record.headers()
                        .lastHeader(KafkaMessageIds.DEFAULT_HEADER)
                        .value()))
                .toList();
    }

    @Test
    void keeps_order_key_and_id_and_empties_the_outbox_after_the_confirmation() throws Exception {
        OutboxMessage[] messages =
                IntStream.range(0, 50).mapToObj(i -> message("m" + i)).toArray(OutboxMessage[]::new);
        write(messages);
        try (KafkaPublisher publisher = KafkaPublisher.to(broker());
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThat(relay.runOnce()).isEqualTo(50);
            assertThat(relay.runOnce()).isZero();
        }
        List<ConsumerRecord<byte[], byte[]>> records = KafkaServer.read(topic);
        assertThat(ids(records))
                .containsExactly(IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new));
        assertThat(records)
                .allSatisfy(record -> assertThat(KafkaServer.text(record.key())).isEqualTo("customer-1"));
        assertThat(KafkaServer.text(records.get(7).value())).isEqualTo("text of m7");
    }

    @Test
    void publishes_messages_without_a_key() throws Exception {
        write(new OutboxMessage(topic, null, "m1", new byte[0]));
        try (KafkaPublisher publisher = KafkaPublisher.to(broker());
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThat(relay.runOnce()).isEqualTo(1);
        }
        assertThat(KafkaServer.read(topic).get(0).key()).isNull();
    }

    @Test
    void keeps_unconfirmed_messages_in_the_outbox() throws Exception {
        write(message("m1"));
        int deadPort;
        try (ServerSocket free = new ServerSocket(0)) {
            deadPort = free.getLocalPort();
        }
        Map<String, Object> unreachable = Map.of("bootstrap.servers", "127.0.0.1:" + deadPort, "max.block.ms", 200);
        try (KafkaPublisher publisher = KafkaPublisher.to(unreachable);
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThatThrownBy(relay::runOnce).isInstanceOf(ExecutionException.class);
        }
        try (KafkaPublisher publisher = KafkaPublisher.to(broker());
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThat(relay.runOnce()).isEqualTo(1);
        }
        assertThat(ids(KafkaServer.read(topic))).containsExactly("m1");
    }

    @Test
    void sends_nothing_behind_a_message_that_it_cannot_send() throws Exception {
        OutboxMessage large = new OutboxMessage(topic, "customer-1", "m2", new byte[2_000_000]);
        write(message("m1"), large, message("m3"));
        try (KafkaPublisher publisher = KafkaPublisher.to(broker());
                OutboxRelay relay = new OutboxRelay(database, publisher)) {
            assertThatThrownBy(relay::runOnce).hasCauseInstanceOf(RecordTooLargeException.class);
        }
        assertThat(ids(KafkaServer.read(topic))).containsExactly("m1");
    }

    @Test
    void refuses_settings_that_would_lose_messages() {
        assertThatThrownBy(() -> KafkaPublisher.to(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bootstrap.servers is missing");
        assertThatThrownBy(() -> KafkaPublisher.to(Map.of("bootstrap.servers", "localhost:9092", "acks", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acks is 1");
        assertThatThrownBy(() ->
                        KafkaPublisher.to(Map.of("bootstrap.servers", "localhost:9092", "enable.idempotence", false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("enable.idempotence is false");
        assertThatThrownBy(() -> KafkaPublisher.to(
                        Map.of("bootstrap.servers", "localhost:9092", "max.in.flight.requests.per.connection", 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max.in.flight.requests.per.connection is 5, it must be 1");
    }
}
