package dev.semel.jdbc.testing;

import static dev.semel.testkit.contract.StoreVerbs.FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** Work in a transaction that is not sure of its outcome, with a ledger of how often it ran. */
public final class UnknownOutcome {

    /** What happens to the server. */
    public interface Event {
        void happen() throws Exception;
    }

    private static final Intent INTENT =
            Intent.of(Operation.named("charge"), id("k").scope(), id("k").key(), FINGERPRINT);

    private final SemelEngine semel;
    private final DataSource application;
    private final AtomicInteger executions = new AtomicInteger();

    public UnknownOutcome(SemelEngine semel, DataSource application) {
        this.semel = semel;
        this.application = application;
    }

    private Execution<String> execute(Event duringTheWork) throws Exception {
        return semel.executeInTransaction(application, INTENT, Codec.text(), (connection, attempt) -> {
            executions.incrementAndGet();
            duringTheWork.happen();
            throw new OutcomeUnknownException("the bank did not answer");
        });
    }

    public void isNotRecordedWhile(Event down) {
        assertThatThrownBy(() -> execute(down))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is unknown, and this is not on record yet");
    }

    public void isRecordedNowAndNotExecutedAgain() throws Exception {
        Awaitility.await()
                .ignoreExceptions()
                .atMost(Duration.ofMinutes(1))
                .until(() -> semel.find(id("k"))
                        .filter(record -> record.state() == State.UNKNOWN)
                        .isPresent());
        Awaitility.await().ignoreExceptions().atMost(Duration.ofMinutes(1)).until(this::isConnected);
        assertThat(execute(() -> {}))
                .isInstanceOfSatisfying(
                        Execution.Refused.class,
                        refused -> assertThat(refused.why()).isInstanceOf(Refusal.OutcomeUnknown.class));
        assertThat(executions).hasValue(1);
    }

    /** A pool may pause before it tries again to connect to a server that was down. */
    private boolean isConnected() throws SQLException {
        try (Connection connection = application.getConnection()) {
            return connection.isValid(1);
        }
    }
}
