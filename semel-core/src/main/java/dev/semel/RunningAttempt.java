package dev.semel;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A granted attempt in the hands of an adapter that runs the code itself, such as a servlet filter; its heartbeat keeps
 * the lease until it is settled.
 *
 * <p>Everybody else uses {@link Semel#execute}, which cannot forget to settle.
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

    /** What the executing code has said of the outcome so far, through {@link #notExecuted} or {@link #outcomeUnknown}. */
    Optional<Outcome> declared();

    /**
     * Makes this attempt what the calling thread is at, for whoever traces: to be called before the code runs, on each
     * thread that runs it, and left when it has returned. Never fails, and does nothing where nobody traces.
     */
    Entered enter();

    /**
     * What an exception of the code means for the record, by its type, the operation's rule and its policy, in this
     * order. An {@link Error} or an interruption proves nothing, whatever the policy says.
     */
    Failures judge(Throwable failure);

    /** The calling thread is at an attempt, until it leaves. */
    @FunctionalInterface
    interface Entered {

        /** To be called once, by the same thread. */
        void leave();
    }
}
