package dev.semel.messaging.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.testsupport.servers.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An outbox")
class OutboxTest {

    private final List<OutboxMessage> published = new ArrayList<>();
    private DataSource database;

    @BeforeEach
    void createTable() throws SQLException {
        database = PostgresServer.dataSource(PostgresServer.shared().newDatabase());
        try (Connection connection = database.getConnection()) {
            Outbox.createTable(connection);
            Outbox.createTable(connection);
        }
    }

    private static OutboxMessage message(String id) {
        return new OutboxMessage("orders", "customer-1", id, id.getBytes(StandardCharsets.UTF_8));
    }

    private void write(boolean commit, OutboxMessage... messages) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (OutboxMessage message : messages) {
                Outbox.add(connection, message);
            }
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    @Test
    void publishes_committed_messages_in_order_and_nothing_else() throws Exception {
        write(true, message("m1"), message("m2"));
        write(false, message("m3"));
        write(true, message("m4"));
        try (OutboxRelay relay = new OutboxRelay(database, published::addAll)) {
            assertThat(relay.runOnce()).isEqualTo(3);
            assertThat(relay.runOnce()).isZero();
        }
        assertThat(published).containsExactly(message("m1"), message("m2"), message("m4"));
    }

    @Test
    void keeps_messages_that_could_not_be_published() throws Exception {
        write(true, message("m1"));
        try (OutboxRelay broken = new OutboxRelay(database, messages -> {
                    throw new IOException("no broker");
                });
                OutboxRelay relay = new OutboxRelay(database, published::addAll)) {
            assertThatThrownBy(broken::runOnce).isInstanceOf(IOException.class);
            assertThat(relay.runOnce()).isEqualTo(1);
        }
        assertThat(published).containsExactly(message("m1"));
    }

    @Test
    void publishes_an_unconfirmed_message_again_with_the_same_key_and_its_consumer_handles_it_once() throws Exception {
        write(true, message("m1"));
        try (OutboxRelay deaf = new OutboxRelay(database, messages -> {
                    published.addAll(messages);
                    throw new IOException("the confirmation got lost");
                });
                OutboxRelay relay = new OutboxRelay(database, published::addAll)) {
            assertThatThrownBy(deaf::runOnce).isInstanceOf(IOException.class);
            relay.runOnce();
        }
        assertThat(published).containsExactly(message("m1"), message("m1"));
        List<String> mails = new ArrayList<>();
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Inbox<OutboxMessage> inbox = Inbox.<OutboxMessage>of(
                            semel, "mailer", sent -> MessageIdentity.withId(sent.idempotencyKey(), sent.payload()))
                    .build();
            published.forEach(
                    sent -> inbox.handle(sent, (delivered, attempt) -> mails.add(delivered.idempotencyKey())));
        }
        assertThat(mails).containsExactly("m1");
    }

    @Test
    void does_not_publish_the_messages_before_a_refused_one_over_and_over() throws Exception {
        write(true, message("m1"), message("m2"), message("too large"), message("m4"));
        Publisher picky = messages -> {
            for (OutboxMessage message : messages) {
                if (message.idempotencyKey().equals("too large")) {
                    throw new IOException("too large");
                }
                published.add(message);
            }
        };
        try (OutboxRelay relay = new OutboxRelay(database, picky)) {
            for (int i = 0; i < 10; i++) {
                try {
                    relay.runOnce();
                } catch (IOException refused) {
                    assertThat(refused).hasMessage("too large");
                }
            }
            assertThat(published)
                    .as("all, then one, then the next two, then one")
                    .containsExactly(message("m1"), message("m2"), message("m1"), message("m2"), message("m2"));

            remove("too large");
            assertThat(relay.runOnce()).isEqualTo(1);
            assertThat(published).endsWith(message("m4"));
        }
    }

    private void remove(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM semel_outbox WHERE idempotency_key = ?")) {
            delete.setString(1, id);
            delete.executeUpdate();
        }
    }

    @Test
    void is_published_by_one_relay_at_a_time() throws Exception {
        write(true, message("m1"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (OutboxRelay slow = new OutboxRelay(database, messages -> {
                    begun.countDown();
                    finish.await();
                    published.addAll(messages);
                });
                OutboxRelay relay = new OutboxRelay(database, published::addAll)) {
            Future<Integer> first = other.submit(slow::runOnce);
            begun.await();
            assertThat(relay.runOnce()).isZero();
            finish.countDown();
            assertThat(first.get()).isEqualTo(1);
            assertThat(relay.runOnce()).isZero();
        } finally {
            other.shutdownNow();
        }
        assertThat(published).containsExactly(message("m1"));
    }

    @Test
    void holds_a_message_once_that_is_added_repeatedly_and_only_in_a_transaction() throws Exception {
        write(true, message("m1"));
        write(true, message("m1"));
        try (OutboxRelay relay = new OutboxRelay(database, published::addAll);
                Connection connection = database.getConnection()) {
            assertThat(relay.runOnce()).isEqualTo(1);
            assertThatThrownBy(() -> Outbox.add(connection, message("m2")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("autocommit");
        }
    }

    @Test
    void refuses_another_message_with_the_key_of_an_unpublished_one() throws Exception {
        write(true, message("m1"));
        for (OutboxMessage other : List.of(
                new OutboxMessage("audit", "customer-1", "m1", message("m1").payload()),
                new OutboxMessage("orders", null, "m1", message("m1").payload()),
                new OutboxMessage("orders", "customer-1", "m1", new byte[0]))) {
            assertThatThrownBy(() -> write(true, other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("with the idempotency key of this one");
        }
        try (OutboxRelay relay = new OutboxRelay(database, published::addAll)) {
            relay.runOnce();
        }
        assertThat(published).containsExactly(message("m1"));
    }

    @Test
    void is_emptied_by_a_relay_that_continues_after_an_error() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        write(true, message("m1"));
        try (OutboxRelay relay = new OutboxRelay(database, batch -> {
                    if (failed.compareAndSet(false, true)) {
                        throw new AssertionError("once");
                    }
                    published.addAll(batch);
                    done.countDown();
                })
                .start(Duration.ofMillis(10))) {
            assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(published).containsExactly(message("m1"));
    }

    @Test
    void is_emptied_by_a_started_relay() throws Exception {
        CountDownLatch all = new CountDownLatch(250);
        OutboxMessage[] messages = new OutboxMessage[250];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = message("m" + i);
        }
        write(true, messages);
        try (OutboxRelay relay = new OutboxRelay(database, batch -> {
                    published.addAll(batch);
                    batch.forEach(one -> all.countDown());
                })
                .start(Duration.ofMillis(10))) {
            all.await();
        }
        assertThat(published).containsExactly(messages);
    }
}
