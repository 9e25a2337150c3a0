package dev.semel.admin.settle;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
import java.util.Optional;

/**
 * Settles outcomes that a service or a person knows, each under the fence that it names.
 *
 * <p>The same settlement again gets the same result, also when the key was claimed anew in between: the record's history has
 * it.
 */
public final class Settlements {

    /** What became of a settlement. */
    public sealed interface Result {

        /**
         * It is on record.
         *
         * @param now whether this settlement wrote it; else an earlier one did
         */
        record Settled(State state, boolean now) implements Result {}

        /** No record has this scope and key. */
        record NoSuchRecord() implements Result {}

        /** Another attempt has begun since: what is known of the earlier one does not settle it. */
        record FenceChanged(State state, long fence) implements Result {}

        /** The attempt still has its lease, and may settle itself. */
        record InProgress(Duration leaseRemaining) implements Result {}

        /** The attempt was settled before, in another way. */
        record SettledOtherwise(State state) implements Result {}
    }

    /**
     * What is said about the outcome of one attempt.
     *
     * @param identity with the key as it is stored
     * @param source whose evidence it is
     */
    public record Settlement(Identity identity, long fence, Verdict.Final verdict, String source) {

        State meant() {
            return verdict instanceof Verdict.DidNotHappen ? State.FAILED_RETRYABLE : State.COMPLETED;
        }
    }

    /** How long settled records are kept. */
    @FunctionalInterface
    public interface Retentions {

        Duration of(String operation);

        /** What an operation has that says nothing of its own. */
        static Duration standard() {
            return Operation.named("default").retention();
        }
    }

    private final SemelEngine semel;
    private final UnknownOutcomes unknowns;

    public Settlements(SemelEngine semel) {
        this.semel = semel;
        this.unknowns = semel.unknownOutcomes();
    }

    /**
     * Settles. Blocks while it asks the store.
     *
     * @param retentions how long a settled record of an operation is kept, by its name
     * @throws dev.semel.StoreException when the store failed: the same request can be made again
     */
    public Result settle(Settlement settlement, Retentions retentions) {
        Optional<StoredRecord> found = unknowns.findSealed(settlement.identity());
        if (found.isEmpty()) {
            return new Result.NoSuchRecord();
        }
        StoredRecord record = found.get();
        if (isOpen(record, settlement)) {
            Reconciliation answer = unknowns.settle(
                    record.lease(), retentions.of(record.operation()), settlement.verdict(), settlement.source());
            if (answer instanceof Reconciliation.Accepted) {
                return new Result.Settled(settlement.meant(), true);
            }
            if (answer instanceof Reconciliation.NotUnknown changed) {
                record = changed.current();
            }
        }
        return resultOf(record, settlement);
    }

    /** What a settlement would find: {@link Result.Settled} now, if it would be written. Writes nothing. */
    public Result wouldSettle(Settlement settlement) {
        return unknowns.findSealed(settlement.identity())
                .map(record -> isOpen(record, settlement)
                        ? new Result.Settled(settlement.meant(), true)
                        : resultOf(record, settlement))
                .orElseGet(Result.NoSuchRecord::new);
    }

    private static boolean isOpen(StoredRecord record, Settlement settlement) {
        return record.fence() == settlement.fence() && record.state() == State.UNKNOWN;
    }

    private Result resultOf(StoredRecord record, Settlement settlement) {
        if (record.fence() != settlement.fence()) {
            return wasReleased(record, settlement)
                    ? new Result.Settled(State.FAILED_RETRYABLE, false)
                    : new Result.FenceChanged(record.state(), record.fence());
        }
        if (record.state() == State.IN_PROGRESS) {
            return new Result.InProgress(record.leaseRemaining());
        }
        boolean same = record.state() == settlement.meant() && hasResponse(settlement);
        return same ? new Result.Settled(record.state(), false) : new Result.SettledOtherwise(record.state());
    }

    /** Whether what is recorded is what the settlement says, where it says that it happened. */
    private boolean hasResponse(Settlement settlement) {
        if (!(settlement.verdict() instanceof Verdict.Happened happened)) {
            return true;
        }
        Optional<RecordedResponse> recorded = semel.records()
                .find(settlement.identity())
                .flatMap(record -> Optional.ofNullable(record.response()))
                .flatMap(RecordedResponse::from);
        return recorded.isPresent() && recorded.equals(RecordedResponse.from(happened.response()));
    }

    /** Whether the same source has settled that attempt as not executed before the key was claimed again. */
    private boolean wasReleased(StoredRecord record, Settlement settlement) {
        return settlement.verdict() instanceof Verdict.DidNotHappen
                && unknowns.history(record.identity()).stream()
                        .anyMatch(entry -> entry.change() == AuditEntry.Change.RECONCILED
                                && entry.fence() == settlement.fence()
                                && entry.to() == State.FAILED_RETRYABLE
                                && entry.who().equals(settlement.source()));
    }
}
