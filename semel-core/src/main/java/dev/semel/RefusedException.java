package dev.semel;

/** There is no answer on record: thrown by {@link Execution#orThrow()} for callers who prefer an exception. */
public final class RefusedException extends RuntimeException {

    private final transient Execution<?> execution;

    RefusedException(Execution<?> execution) {
        super(describe(execution));
        this.execution = execution;
    }

    public Execution<?> execution() {
        return execution;
    }

    private static String describe(Execution<?> execution) {
        if (execution instanceof Execution.Refused<?> refused) {
            if (refused.why() instanceof Refusal.InProgress) {
                return "another attempt of this intent is running: retry later with the same key";
            }
            if (refused.why() instanceof Refusal.Mismatch) {
                return "the key was used before for a request that meant something else: use a new key";
            }
            if (refused.why() instanceof Refusal.ReplayForbidden forbidden) {
                return forbidden.decided()
                        ? "the operation was done before, and the caller may not have its result"
                        : "it cannot be checked at the moment whether the caller may have the recorded result: retry later"
                                + " with the same key";
            }
            if (refused.why() instanceof Refusal.KeyExpired) {
                return "the retention of this key has passed, and it may have been executed before: look up what became of"
                        + " it before you use a new key";
            }
            if (refused.why() instanceof Refusal.KeyFromFuture) {
                return "the key says a time that is not reached yet: set the client's clock, and use a new key";
            }
            return "the outcome of an earlier attempt is unknown: keep the key and retry later";
        }
        return "the operation ran, but its answer is not on record: keep the key and retry later";
    }
}
