package dev.semel.torture.crash;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.Evidence;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store with crash points")
class CrashingStoreTest {

    /** Stands in for the end of the process. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final MemoryStore inner = new MemoryStore();
    private final CrashPoints points = new CrashPoints();
    private final CrashingStore store = new CrashingStore(inner, points);

    private void crashAt(CrashPoint point) {
        points.arm(point, (reached, identity) -> {
            throw new Crash();
        });
    }

    private Lease claimed() {
        return ((ClaimAnswer.Granted) await(store.claim(request("k1")))).lease();
    }

    private State state() {
        return await(inner.find(id("k1"))).orElseThrow().state();
    }

    @Test
    void comes_to_its_points_in_order() {
        List<CrashPoint> reached = new ArrayList<>();
        for (CrashPoint point : CrashPoint.values()) {
            points.arm(point, (at, identity) -> {
                assertThat(identity).isEqualTo(id("k1"));
                reached.add(at);
            });
        }
        Lease lease = claimed();
        await(store.settle(lease, new Outcome.Unknown("timeout"), RETENTION));
        store.reconcile(lease, completed("done"), new Evidence("person:alice", "saw it"), RETENTION);

        assertThat(reached)
                .containsExactly(
                        CrashPoint.BEFORE_CLAIM,
                        CrashPoint.AFTER_CLAIM,
                        CrashPoint.BEFORE_COMPLETE,
                        CrashPoint.AFTER_COMPLETE,
                        CrashPoint.BEFORE_EVIDENCE,
                        CrashPoint.AFTER_EVIDENCE);
    }

    @Test
    void has_written_nothing_before_and_everything_after() {
        crashAt(CrashPoint.BEFORE_CLAIM);
        assertThatThrownBy(this::claimed).isInstanceOf(Crash.class);
        assertThat(await(inner.find(id("k1")))).isEmpty();

        crashAt(CrashPoint.AFTER_CLAIM);
        assertThatThrownBy(this::claimed).hasRootCauseInstanceOf(Crash.class);
        assertThat(state()).isEqualTo(State.IN_PROGRESS);

        Lease lease = await(inner.find(id("k1"))).orElseThrow().lease();
        crashAt(CrashPoint.BEFORE_COMPLETE);
        assertThatThrownBy(() -> store.settle(lease, completed("done"), RETENTION))
                .isInstanceOf(Crash.class);
        assertThat(state()).isEqualTo(State.IN_PROGRESS);

        crashAt(CrashPoint.AFTER_COMPLETE);
        assertThatThrownBy(() -> await(store.settle(lease, completed("done"), RETENTION)))
                .hasRootCauseInstanceOf(Crash.class);
        assertThat(state()).isEqualTo(State.COMPLETED);
    }

    @Test
    void crashes_once_and_not_after_it_was_disarmed() {
        crashAt(CrashPoint.BEFORE_CLAIM);
        assertThatThrownBy(this::claimed).isInstanceOf(Crash.class);
        crashAt(CrashPoint.BEFORE_COMPLETE);
        points.disarm();

        await(store.settle(claimed(), completed("done"), RETENTION));
        assertThat(state()).isEqualTo(State.COMPLETED);
    }
}
