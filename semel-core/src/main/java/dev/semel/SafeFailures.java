package dev.semel;

import java.util.Arrays;
import java.util.Optional;

/**
 * The rule of {@link Failures.Rule#SAFE}.
 *
 * <ol>
 *   <li>Walks from the exception to its causes, until one has a meaning in {@link KnownFailures}. That one decides.
 *   <li>"Not executed" is believed only with proof: every exception on the way is a known wrapper, no exception on the way
 *       has a suppressed one that says otherwise, and no library that sends again was on the stack. Otherwise the outcome is
 *       unknown.
 *   <li>An exception without a known cause is left to the operation's default: it is the application's own answer.
 * </ol>
 */
enum SafeFailures implements Failures.Rule {
    /** Set by the application. */
    CHOSEN,
    /** Set by {@link Retention#PAYMENT}; an application that says what failures mean replaces it. */
    IMPLIED;

    /** More exceptions than any framework wraps; what is not told by then is unknown. */
    private static final int LONGEST_WALK = 100;

    @Override
    public Optional<Failures> judge(Exception failure) {
        return switch (new Walk().meaningOf(failure)) {
            case NOT_EXECUTED -> Optional.of(Failures.RETRY);
            case UNKNOWN -> Optional.of(Failures.RECONCILE);
            case ANSWER -> Optional.empty();
        };
    }

    /** What is known of the call that failed. */
    private enum Meaning {
        NOT_EXECUTED,
        UNKNOWN,
        ANSWER
    }

    /** A walk along causes and suppressed exceptions, of a limited length: they can form a circle. */
    private static final class Walk {

        private int left = LONGEST_WALK;

        Meaning meaningOf(Throwable failure) {
            Meaning otherwise = Meaning.ANSWER;
            boolean proven = true;
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (left-- <= 0) {
                    return Meaning.UNKNOWN;
                }
                KnownFailures known = KnownFailures.of(cause);
                proven = proven && known != KnownFailures.NOT_LISTED && !hidesAnother(cause);
                switch (known) {
                    case NOT_EXECUTED -> {
                        return proven ? Meaning.NOT_EXECUTED : Meaning.UNKNOWN;
                    }
                    case UNKNOWN -> {
                        return Meaning.UNKNOWN;
                    }
                    case ANSWER -> {
                        return Meaning.ANSWER;
                    }
                    case CALL_WRAPPER -> otherwise = Meaning.UNKNOWN;
                    case WRAPPER, NOT_LISTED -> {}
                }
            }
            return otherwise;
        }

        /** Whether the request may have been sent before this failure: by another try, or as a suppressed exception says. */
        private boolean hidesAnother(Throwable failure) {
            return KnownFailures.mayHaveSentBefore(failure.getStackTrace())
                    || Arrays.stream(failure.getSuppressed())
                            .anyMatch(suppressed -> meaningOf(suppressed) == Meaning.UNKNOWN);
        }
    }
}
