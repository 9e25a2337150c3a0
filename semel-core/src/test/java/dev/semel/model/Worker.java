package dev.semel.model;

import dev.semel.Lease;

/**
 * A client's request and the process that serves it, over and over again.
 *
 * <p>It is paused simply by making no move while others do.
 *
 * @param current whether the lease it holds is the record's last
 * @param request what became of what it sent to the provider
 */
record Worker(Phase phase, boolean current, Request request) {

    enum Phase {
        IDLE,
        /** Its claim was granted, and the store's answer got lost. */
        UNHEARD,
        /** Has the right to execute, and has not sent anything yet. */
        GRANTED,
        /** Has sent the request. */
        WAITING
    }

    enum Request {
        NONE,
        /** On its way: it may still have an effect. */
        FLYING,
        /** Will never arrive. */
        LOST,
        /** Had its effect; the answer is on its way. */
        EXECUTED,
        /** The provider has refused it, so it has no effect; the answer is on its way. */
        REFUSED
    }

    static final Worker IDLE = new Worker(Phase.IDLE, false, Request.NONE);
    static final Worker UNHEARD = new Worker(Phase.UNHEARD, true, Request.NONE);
    static final Worker GRANTED = new Worker(Phase.GRANTED, true, Request.NONE);

    Lease lease() {
        return Entry.lease(current);
    }

    Worker waitingFor(Request other) {
        return new Worker(Phase.WAITING, current, other);
    }

    boolean isFlying() {
        return request == Request.FLYING;
    }

    boolean mayStillSend() {
        return phase == Phase.GRANTED;
    }

    /** The state of a worker after another was granted the next lease. */
    Worker outdated() {
        return phase == Phase.UNHEARD ? IDLE : new Worker(phase, false, request);
    }

    /** Less than 2^6. */
    int code() {
        return (phase.ordinal() << 1 | (current ? 1 : 0)) << 3 | request.ordinal();
    }
}
