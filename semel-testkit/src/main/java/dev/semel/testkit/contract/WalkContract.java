package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.AuditEntry.Change;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Long random sequences of all verbs, compared with {@link MemoryStore} and with the history. */
public interface WalkContract extends StoreVerbs {

    /** Long enough for every hop of the state machine to happen on the way; {@link #walk_known} checks that. */
    int STEPS = 900;

    @Test
    @DisplayName("I12: whatever happens, every store answers alike, and the history replayed is the record")
    default void walk_known() {
        RandomWalk walk = new RandomWalk(this, 2);
        walk.walk(STEPS, "seed 2");
        Set<Replay.Hop> missed = new HashSet<>(Replay.HOPS);
        missed.removeAll(walk.hops());
        // Takes a takeover, a release and a request of another kind in a row: StepContract goes there on purpose.
        missed.remove(new Replay.Hop(Change.GIVEN_UP, State.FAILED_RETRYABLE, State.UNKNOWN));
        assertThat(missed).as("hops that the walk did not take").isEmpty();
    }

    @Test
    @DisplayName("I12: and again, with a random seed")
    default void walk_unknown() {
        long seed = new Random().nextLong();
        new RandomWalk(this, seed).walk(STEPS, "seed " + seed);
    }
}
