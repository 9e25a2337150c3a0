package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Execution;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.testsupport.stores.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a record that becomes unknown is logged")
class UnknownLogTest extends UnknownFixture {

    private static final Logger LOG = Logger.getLogger("dev.semel");

    private final List<String> warnings = new ArrayList<>();
    private boolean broken;

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getLevel() == Level.WARNING && record.getMessage().contains("is unknown")) {
                warnings.add(record.getMessage());
                if (broken) {
                    throw new IllegalStateException("the disk of the log is full");
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(handler);
    }

    /** An attempt whose heartbeats did not reach the store for longer than its lease. */
    private RunningAttempt crashed(Operation operation, String key) {
        Claim claim = semel.begin(intentOf(operation, key));
        store.down();
        time.advance(LEASE.plusMillis(1));
        store.up();
        return ((Claim.Granted) claim).attempt();
    }

    @Test
    void once_with_operation_scope_hash_of_the_key_and_the_next_step_when_its_attempt_says_so() {
        becomeUnknown("order-42");
        retry(CHARGE, "order-42");
        retry(CHARGE, "order-42");

        assertThat(warnings)
                .containsExactly("the outcome of charge is unknown: scope acme, "
                        + id("order-42").key().redacted()
                        + ", fence 1, reason OutcomeUnknownException; requests with this key are refused until it is"
                        + " settled. Next: no resolver of charge is configured in this process; unless another process"
                        + " has one, find out and settle it: semel unknown show acme "
                        + id("order-42").key().redacted());
    }

    @Test
    void with_its_resolver_as_the_next_step_where_one_is_configured_and_not_again_when_that_is_asked() {
        var reconciler = reconciler(unknown -> PENDING);
        becomeUnknown("k");
        for (int run = 0; run < 3; run++) {
            reconciler.runOnce();
            time.advance(LONGEST);
        }

        assertThat(warnings)
                .singleElement()
                .asString()
                .endsWith("Next: the reconciler of this process asks the" + " resolver of charge");
    }

    @Test
    void once_when_a_request_notices_that_its_lease_has_expired() {
        crashed(CHARGE, "k");

        assertThat(retry(CHARGE, "k")).isInstanceOf(Execution.Refused.class);
        retry(CHARGE, "k");
        semel.unknownOutcomes().sweep(10);

        assertThat(warnings).singleElement().asString().contains("charge", "reason in_progress_lock_expired");
    }

    @Test
    void once_when_the_sweeper_notices_that_its_lease_has_expired() {
        crashed(CHARGE, "k");

        assertThat(semel.unknownOutcomes().sweep(10)).hasSize(1);
        semel.unknownOutcomes().sweep(10);
        retry(CHARGE, "k");

        assertThat(warnings).singleElement().asString().contains("charge", "reason in_progress_lock_expired");
    }

    @Test
    void not_when_the_next_request_may_take_it_over() {
        crashed(CHARGE.reexecutableAfterCrash(), "k");

        assertThat(semel.unknownOutcomes().sweep(10))
                .singleElement()
                .satisfies(record -> assertThat(record.state()).isEqualTo(State.IN_PROGRESS));

        assertThat(warnings).isEmpty();
    }

    @Test
    void once_when_the_answer_of_the_store_is_lost_and_the_settlement_is_tried_again() {
        store.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.ANSWER_LOST);
        Claim claim = semel.begin(intentOf(CHARGE, "k"));
        var settled = ((Claim.Granted) claim).attempt().settle(new Outcome.Unknown("timeout"));
        time.advance(LEASE);

        assertThat(settled.toCompletableFuture()).isCompleted();
        assertThat(warnings).singleElement().asString().contains("reason timeout");
    }

    @Test
    void not_again_when_its_attempt_says_so_after_the_sweeper_did() {
        RunningAttempt attempt = crashed(CHARGE, "k");
        semel.unknownOutcomes().sweep(10);

        attempt.settle(new Outcome.Unknown("timeout"));

        assertThat(warnings).singleElement().asString().contains("reason in_progress_lock_expired");
    }

    @Test
    void and_a_log_that_fails_breaks_no_execution() {
        broken = true;
        becomeUnknown("k");
        crashed(CHARGE, "swept");
        assertThat(semel.unknownOutcomes().sweep(10)).hasSize(1);
        crashed(CHARGE, "noticed");

        assertThat(retry(CHARGE, "noticed")).isInstanceOf(Execution.Refused.class);
        assertThat(onRecord("k").state()).isEqualTo(State.UNKNOWN);
        assertThat(warnings).hasSize(3);
    }
}
