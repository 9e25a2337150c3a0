package dev.semel;

import java.util.Optional;

/** What a failure of an operation's code, or in HTTP any response of it, means for its record. */
public enum Failures {
    /** The failure is the answer: it is recorded, and every retry gets the same one. */
    REPLAY,
    /** The operation declares that its failures have no effect: the key is released for the next request. */
    RETRY,
    /** A failure proves nothing: the record becomes unknown and waits for evidence. */
    RECONCILE;

    /**
     * An operation's own reading of its exceptions, asked before the operation's default applies.
     *
     * <p>{@link NotExecutedException} and {@link OutcomeUnknownException} are obeyed before this rule is asked.
     */
    @FunctionalInterface
    public interface Rule {

        /** The rule of an operation that leaves every exception to its default. */
        Rule NONE = failure -> Optional.empty();

        /**
         * A rule that knows the exceptions of the usual clients: JDK, JDBC, Spring, Apache HttpClient, OkHttp, Jetty, Netty,
         * gRPC, Kafka and others, by the names of their classes.
         *
         * <p>A call that was never sent (connection refused, unknown host) was not executed. A call whose answer is missing
         * (time-out, reset, broken pipe, interrupted, cut off), and all that is ambiguous, is unknown. Other exceptions are
         * left to the operation's default. "Not executed" is about the call that failed: an operation that has another
         * effect before it records that as a {@linkplain Attempt#step step}, or uses {@link Failures#RECONCILE} instead.
         *
         * <p>{@link Retention#PAYMENT} sets it, unless the operation has a rule or another default than {@link Failures#REPLAY}.
         */
        Rule SAFE = SafeFailures.CHOSEN;

        /** Returns what this failure means, or empty to apply the operation's default. */
        Optional<Failures> judge(Exception failure);
    }
}
