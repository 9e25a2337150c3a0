package dev.semel.spring.actuate;

import dev.semel.reconcile.StoredRecord;

/** Explains the state of a record that cannot be settled, because it is not unknown. */
final class RecordStates {

    private RecordStates() {}

    static String whatItIs(StoredRecord record) {
        String state = "this record is not unknown, it is " + record.state().label();
        return switch (record.state()) {
            case IN_PROGRESS ->
                record.leaseRemaining().isZero()
                        ? state + ": its lease has expired; the reconciler or the next request will make it unknown"
                        : state + ": its attempt may still answer, its lease ends at "
                                + record.times().lockedUntil();
            case COMPLETED -> state + ": its response is on record and is replayed";
            case FAILED_RETRYABLE, EXPIRED -> state + ": the next request executes";
            case UNKNOWN -> "this record is unknown, but about another attempt";
        };
    }
}
