package dev.semel.reconcile;

/**
 * Looks up what became of an attempt: at the provider, in the ledger, wherever its effect would have left a trace.
 *
 * <p>It must only look, never do. It is asked again when the answer got lost, and by another process when this one is
 * slow. Its client needs a timeout of its own, shorter than {@link Reconciler.Builder#answerWithin}.
 */
@FunctionalInterface
public interface OutcomeResolver {

    /**
     * Looks the outcome up.
     *
     * @throws Exception when it cannot be looked up now: it is asked again, and the exception's message is kept in the
     *     record's history
     */
    Verdict resolve(UnknownOutcome unknown) throws Exception;
}
