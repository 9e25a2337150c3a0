package dev.semel.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.messaging.brokers.EffectTable;
import dev.semel.testkit.FaultyDataSource;
import dev.semel.testkit.FaultyDataSource.Fault;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An inbox in transactions")
class InboxTransactionTest {

    private static final Delivery HANDLED = new Delivery.Acknowledge(false);
    private static final Delivery DUPLICATE = new Delivery.Acknowledge(true);
    private static final Delivery FAILED = new Delivery.Redeliver("handler_failed");

    private StoreUri.Postgresql database;
    private HikariDataSource dataSource;
    private EffectTable effects;
    private SemelEngine semel;
    private Inbox<String> inbox;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabases.newDatabase();
        TestDatabases.execute(database, EffectTable.DDL);
        dataSource = TestDatabases.pool(database);
        effects = new EffectTable(dataSource);
        semel = SemelEngine.on(Stores.open(database)).build();
        inbox = inbox(Operation.named("consume").failures(Failures.RETRY));
    }

    @AfterEach
    void close() {
        semel.close();
        dataSource.close();
    }

    private static MessageIdentity identityOf(String id) {
        return MessageIdentity.withId(id, id.getBytes(StandardCharsets.UTF_8));
    }

    private Inbox<String> inbox(Operation operation) {
        return Inbox.of(semel, "mailer", InboxTransactionTest::identityOf)
                .operation(operation)
                .maxAttempts(3)
                .build();
    }

    private Delivery deliver() {
        return inbox.handleInTransaction(
                "m1", dataSource, (connection, id, attempt) -> EffectTable.insert(connection, id));
    }

    private Delivery deliver(Inbox<String> to, Throwable failure) {
        return to.handleInTransaction("m1", dataSource, (connection, id, attempt) -> {
            EffectTable.insert(connection, id);
            throw sneaky(failure);
        });
    }

    /** Handlers in other JVM languages can throw undeclared checked exceptions. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void writes_one_row_for_a_redelivered_message() throws Exception {
        assertThat(deliver()).isEqualTo(HANDLED);
        assertThat(deliver()).isEqualTo(DUPLICATE);
        assertThat(effects.rows()).isEqualTo(1);
    }

    @Test
    void rolls_back_the_writes_of_a_failed_handler_and_dead_letters_a_poison_message() throws Exception {
        IllegalStateException failure = new IllegalStateException("cannot be parsed");
        assertThat(deliver(inbox, failure)).isEqualTo(FAILED);
        assertThat(deliver(inbox, failure)).isEqualTo(FAILED);
        assertThat(deliver(inbox, failure))
                .isEqualTo(new Delivery.DeadLetter("IllegalStateException: cannot be parsed"));
        assertThat(effects.rows()).isZero();
    }

    @Test
    void redelivers_a_message_whose_handler_ends_in_an_error() throws Exception {
        assertThat(deliver(inbox, new StackOverflowError())).isEqualTo(FAILED);
        assertThat(effects.rows()).isZero();
        assertThat(deliver()).isEqualTo(HANDLED);
    }

    @Test
    void redelivers_a_message_whose_handler_was_interrupted_since_it_was_rolled_back() throws Exception {
        assertThat(deliver(inbox, new InterruptedException())).isEqualTo(FAILED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(effects.rows()).isZero();
        assertThat(deliver()).isEqualTo(HANDLED);
    }

    @Test
    void treats_a_rollback_as_proof_of_no_effect_under_any_policy() {
        Inbox<String> cautious = inbox(Operation.named("consume").failures(Failures.RECONCILE));
        assertThat(deliver(cautious, new IllegalStateException("timeout"))).isEqualTo(FAILED);
        assertThat(deliver()).isEqualTo(HANDLED);
    }

    /** The state that a consumer leaves when it is killed right after it has claimed the attempt that counts the failure. */
    @Test
    void handles_a_message_whose_consumer_was_killed_while_it_counted_a_failure() throws Exception {
        Operation brief = Operation.named("consume").lease(Duration.ofMillis(100));
        MessageIdentity identity = identityOf("m1");
        try (SemelEngine killed = SemelEngine.on(Stores.open(database)).build()) {
            Intent intent = Intent.of(brief, Scope.of("inbox", "mailer"), identity.key(), identity.fingerprint());
            assertThat(new FailureCounts(killed).begin(intent)).isInstanceOf(Claim.Granted.class);
        }
        List<Delivery> deliveries = new ArrayList<>();
        await().atMost(Duration.ofMinutes(5)).until(() -> {
            deliveries.add(deliver());
            return deliveries.contains(HANDLED);
        });
        assertThat(deliveries).containsOnlyOnce(FAILED);
        assertThat(effects.rows()).isEqualTo(1);
    }

    @Test
    void refuses_the_reserved_operation_name() {
        assertThatThrownBy(() -> inbox(Operation.named("count-failure")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another name");
    }

    @Test
    void records_an_outcome_that_the_handler_declares_unknown() throws Exception {
        Exception unsure = new IllegalStateException(new OutcomeUnknownException("the provider did not answer"));
        assertThat(deliver(inbox, unsure)).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(deliver()).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(effects.rows()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void records_an_outcome_that_the_handler_declares_unknown_although_the_commit_fails(Fault fault) throws Exception {
        for (boolean declared : new boolean[] {true, false}) {
            String id = "m-" + declared;
            FaultyDataSource faulty = new FaultyDataSource(dataSource);
            faulty.failNext(fault);
            assertThat(inbox.handleInTransaction(id, faulty.dataSource(), (connection, message, attempt) -> {
                        EffectTable.insert(connection, message);
                        if (!declared) {
                            throw new OutcomeUnknownException("the provider did not answer");
                        }
                        attempt.outcomeUnknown("timeout");
                    }))
                    .isEqualTo(new Delivery.Redeliver("outcome_unknown"));
            assertThat(inbox.handleInTransaction(
                            id, dataSource, (connection, message, attempt) -> EffectTable.insert(connection, message)))
                    .isEqualTo(new Delivery.Redeliver("outcome_unknown"));
            assertThat(semel.find(Identity.of("inbox/mailer", id)).orElseThrow().operation())
                    .isEqualTo("consume");
        }
        assertThat(effects.rows()).isZero();
    }

    /** The rollback proves that nothing was executed, and counting it ends a poison message. */
    @Test
    void counts_a_failure_that_the_handler_declares_not_executed() {
        Delivery last = FAILED;
        for (int i = 0; i < 3; i++) {
            assertThat(last).isEqualTo(FAILED);
            last = inbox.handleInTransaction("m1", dataSource, (connection, id, attempt) -> {
                attempt.notExecuted("the provider was not called");
                throw new OutcomeUnknownException("thrown by a library");
            });
        }
        assertThat(last).isInstanceOf(Delivery.DeadLetter.class);
    }

    @Test
    void redelivers_a_message_whose_unknown_outcome_is_not_recorded_yet() throws Exception {
        FaultyDataSource ofTheStore = new FaultyDataSource(dataSource);
        try (SemelEngine failing =
                SemelEngine.on(new PostgresStore(ofTheStore.dataSource())).build()) {
            Inbox<String> failingInbox = Inbox.of(failing, "mailer", InboxTransactionTest::identityOf)
                    .build();
            FaultyDataSource faulty = new FaultyDataSource(dataSource);
            faulty.failNext(Fault.COMMIT_REFUSED);
            assertThat(failingInbox.handleInTransaction("m1", faulty.dataSource(), (connection, id, attempt) -> {
                        ofTheStore.down();
                        throw new OutcomeUnknownException("the provider did not answer");
                    }))
                    .isEqualTo(new Delivery.Redeliver("outcome_unknown"));
            ofTheStore.up();
            await().until(() -> semel.find(Identity.of("inbox/mailer", "m1"))
                    .filter(record -> record.state() == State.UNKNOWN)
                    .isPresent());
        }
        assertThat(deliver()).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(effects.rows()).isZero();
    }

    @Test
    void records_an_outcome_that_the_handler_declares_unknown_although_the_connection_is_lost() throws Exception {
        Delivery unsure = inbox.handleInTransaction("m1", dataSource, (connection, id, attempt) -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
            } catch (SQLException lost) {
                throw new OutcomeUnknownException("the provider did not answer", lost);
            }
        });
        assertThat(unsure).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(deliver()).isEqualTo(new Delivery.Redeliver("outcome_unknown"));
        assertThat(effects.rows()).isZero();
        assertThat(semel.find(Identity.of("inbox/mailer", "m1")).orElseThrow().operation())
                .as("what its resolver is registered for")
                .isEqualTo("consume");
    }
}
