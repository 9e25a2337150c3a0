package dev.semel.testkit.contract;

import dev.semel.testkit.StoreHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of {@link dev.semel.engine.Store}, as tests: a store's test subclasses it and supplies a harness.
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
                RescheduleContract,
                UnknownListContract,
                SearchContract,
                OperatorContract,
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
