package dev.semel.engine;

import dev.semel.Intent;
import dev.semel.Refusal;
import dev.semel.State;
import dev.semel.adapter.RunningAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Passes claims and executions to the tracer, if there is one; what it throws is logged and goes no further. Without a
 * tracer nothing is allocated for it.
 */
final class Traces {

    static final String NOWHERE = "";

    private static final System.Logger LOG = System.getLogger("dev.semel");
    private static final RunningAttempt.Entered NOT_ENTERED = () -> {};

    private final @Nullable Tracer tracer;

    Traces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    OfClaim claim(Intent intent) {
        if (tracer == null) {
            return OfClaim.NONE;
        }
        try {
            return new OfClaim(tracer.claim(intent.operation().name(), intent.identity()));
        } catch (Throwable e) {
            log(e);
            return OfClaim.NONE;
        }
    }

    private static void log(Throwable fault) {
        LOG.log(System.Logger.Level.WARNING, "a tracer failed", fault);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 128);
    }

    /** A claim that is not decided yet. */
    static final class OfClaim {

        static final OfClaim NONE = new OfClaim(null);

        private final Tracer.@Nullable OfClaim claim;

        private OfClaim(Tracer.@Nullable OfClaim claim) {
            this.claim = claim;
        }

        boolean isTraced() {
            return claim != null;
        }

        OfExecution granted(long fence) {
            if (claim == null) {
                return OfExecution.NONE;
            }
            try {
                return new OfExecution(claim.granted(fence));
            } catch (Throwable e) {
                log(e);
                return OfExecution.NONE;
            }
        }

        void replayed(boolean near, String origin) {
            if (claim != null) {
                try {
                    claim.replayed(near, origin);
                } catch (Throwable e) {
                    log(e);
                }
            }
        }

        void refused(Refusal refusal) {
            if (claim != null) {
                try {
                    claim.refused(refusal);
                } catch (Throwable e) {
                    log(e);
                }
            }
        }

        void failed(Throwable failure) {
            if (claim != null) {
                try {
                    claim.failed(failure);
                } catch (Throwable e) {
                    log(e);
                }
            }
        }
    }

    /** An execution under way. */
    static final class OfExecution {

        static final OfExecution NONE = new OfExecution(null);

        private final Tracer.@Nullable OfExecution execution;

        private OfExecution(Tracer.@Nullable OfExecution execution) {
            this.execution = execution;
        }

        String origin() {
            if (execution == null) {
                return NOWHERE;
            }
            try {
                String origin = execution.origin();
                if (origin.length() > Tracer.LONGEST_ORIGIN || !isAscii(origin)) {
                    throw new IllegalArgumentException("an origin is at most " + Tracer.LONGEST_ORIGIN
                            + " ASCII characters, so that this one is not kept: " + origin);
                }
                return origin;
            } catch (Throwable e) {
                log(e);
                return NOWHERE;
            }
        }

        RunningAttempt.Entered enter() {
            if (execution == null) {
                return NOT_ENTERED;
            }
            try {
                Tracer.Current current = execution.makeCurrent();
                return () -> {
                    try {
                        current.close();
                    } catch (Throwable e) {
                        log(e);
                    }
                };
            } catch (Throwable e) {
                log(e);
                return NOT_ENTERED;
            }
        }

        void ended(State to, boolean failure) {
            if (execution != null) {
                try {
                    execution.ended(to, failure);
                } catch (Throwable e) {
                    log(e);
                }
            }
        }
    }
}
