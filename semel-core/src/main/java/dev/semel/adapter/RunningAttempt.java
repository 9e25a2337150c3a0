package dev.semel.adapter;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A granted attempt in the hands of an adapter that runs the code itself, such as a servlet filter; its heartbeat keeps
 * the lease until it is settled.
 *
 * <p>Applications use {@link Semel#execute}, which cannot forget to settle.
 */
public interface RunningAttempt extends Attempt {

    /**
     * Ends the attempt. The outcome that the executing code declared through {@link #notExecuted} or
     * {@link #outcomeUnknown} takes precedence over the one given here. Settling twice is an error, unless the outcome was
     * settled as unknown and the answer comes after all.
     *
     * <p>The stage never fails: trouble with the store is {@link Settlement.Unconfirmed}.
     */
    CompletionStage<Settlement> settle(Outcome outcome);

    /** Ends the attempt like {@link #settle}, for a caller that waits: the store may write on the calling thread. */
    Settlement settleAndWait(Outcome outcome);

    /** What the executing code has said of the outcome so far, through {@link #notExecuted} or {@link #outcomeUnknown}. */
    Optional<Outcome> declared();

    /**
     * Makes this attempt current on the calling thread, for tracing: to be called before the code runs, on each thread that
     * runs it, and left when it has returned. Never fails, and does nothing without a tracer.
     */
    Entered enter();

    /**
     * What an exception of the code means for the record, by its type, the operation's rule and its policy, in this
     * order. An {@link Error} or an interruption proves nothing, whatever the policy says.
     */
    Failures judge(Throwable failure);

    /** An attempt that is current on the calling thread until it is left. */
    @FunctionalInterface
    interface Entered {

        /** To be called once, by the same thread. */
        void leave();
    }

    /** What became of an attempt's outcome. */
    sealed interface Settlement {

        /** The outcome is durable. */
        record Settled(Outcome outcome) implements Settlement {}

        /** The lease was lost before the attempt was settled: nothing was written, and the record says what another caller wrote. */
        record LeaseLost() implements Settlement {}

        /** The store did not confirm: the record says this outcome, or becomes unknown when the lease expires. */
        record Unconfirmed(StoreException fault) implements Settlement {}
    }
}
