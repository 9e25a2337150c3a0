package dev.semel.testkit;

import dev.semel.testkit.contract.AuditContract;
import dev.semel.testkit.contract.BlockingContract;
import dev.semel.testkit.contract.ClaimContract;
import dev.semel.testkit.contract.ClockContract;
import dev.semel.testkit.contract.FenceContract;
import dev.semel.testkit.contract.PursueContract;
import dev.semel.testkit.contract.RaceContract;
import dev.semel.testkit.contract.ReconcileContract;
import dev.semel.testkit.contract.RetentionContract;
import dev.semel.testkit.contract.RoundTripContract;
import dev.semel.testkit.contract.SettleContract;
import dev.semel.testkit.contract.StepContract;
import dev.semel.testkit.contract.SweepContract;
import dev.semel.testkit.contract.TransitionTableContract;
import dev.semel.testkit.contract.UnknownListContract;
import dev.semel.testkit.contract.ValueContract;
import dev.semel.testkit.contract.WalkContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of {@link dev.semel.engine.Store}: subclass it, supply a harness, and a store has proved itself.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *     @Override
 *     protected StoreHarness open() {
 *         return new MyHarness();
 *     }
 * }
 * }</pre>
 */
public abstract class StoreContract
        implements ClaimContract,
                SettleContract,
                TransitionTableContract,
                FenceContract,
                ClockContract,
                RetentionContract,
                ReconcileContract,
                SweepContract,
                PursueContract,
                UnknownListContract,
                StepContract,
                AuditContract,
                WalkContract,
                RaceContract,
                RoundTripContract,
                ValueContract,
                BlockingContract {

    private @Nullable StoreHarness harness;

    /** Opens an empty store; called before each test. */
    protected abstract StoreHarness open() throws Exception;

    @BeforeEach
    final void openHarness() throws Exception {
        harness = open();
    }

    @AfterEach
    final void closeHarness() {
        if (harness != null) {
            harness.close();
        }
    }

    @Override
    public final StoreHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("the harness is open only during a test");
        }
        return harness;
    }
}
