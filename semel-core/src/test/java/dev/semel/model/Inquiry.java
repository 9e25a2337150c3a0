package dev.semel.model;

import dev.semel.Lease;

/**
 * A reconciler, and what it knows about the record it has taken. What makes no difference to what it does next is
 * forgotten.
 *
 * @param current whether the lease it asks about is the record's last
 * @param tries as counted when it took the record
 * @param settleable whether the settle window had passed when it took the record
 */
record Inquiry(Phase phase, boolean current, int tries, boolean settleable) {

    enum Phase {
        IDLE,
        /** Has taken the record, and has not asked yet. */
        TAKEN,
        /** The provider has it. */
        HAPPENED,
        /** The provider does not have it, and the settle window had passed before it was asked. */
        DID_NOT_HAPPEN,
        /** The provider does not have it, and may still get it. */
        NOT_YET,
        /** The provider did not answer. */
        CANNOT_TELL
    }

    static final Inquiry IDLE = new Inquiry(Phase.IDLE, false, 0, false);

    static Inquiry of(Entry taken) {
        return new Inquiry(Phase.TAKEN, true, taken.tries(), taken.settleable());
    }

    Lease lease() {
        return Entry.lease(current);
    }

    Inquiry heard(Phase answer) {
        boolean sure = answer == Phase.HAPPENED || answer == Phase.DID_NOT_HAPPEN;
        return new Inquiry(answer, current, sure ? 0 : tries, false);
    }

    Inquiry withTries(int other) {
        return new Inquiry(phase, current, other, settleable);
    }

    /** Which try it was matters for the last attempt only: it is the first from now on. */
    Inquiry outdated() {
        return new Inquiry(phase, false, Math.min(tries, 1), settleable);
    }

    /** Less than 2^8. */
    int code() {
        return ((phase.ordinal() << 1 | (current ? 1 : 0)) << 1 | (settleable ? 1 : 0)) << 3 | tries;
    }
}
