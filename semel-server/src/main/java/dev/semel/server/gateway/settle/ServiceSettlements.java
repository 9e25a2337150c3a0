package dev.semel.server.gateway.settle;

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
 * Settles outcomes that a service knows, each under the fence that the service names.
 *
 * <p>The same settlement again gets the same result, also when the key was claimed anew in between: the record's history has
 * it.
 */
public final class ServiceSettlements {

    /** Whose evidence it is. */
    public static final String SOURCE = "service";

    /** What became of a settlement. */
    public sealed interface Result {

        /** It is on record, now or since an earlier request. */
        record Settled(State state) implements Result {}

        /** No record has this scope and key. */
        record NoSuchRecord() implements Result {}

        /** Another attempt has begun since: what is known of the earlier one does not settle it. */
        record FenceChanged(State state, long fence) implements Result {}

        /** The attempt still has its lease, and may settle itself. */
        record InProgress(Duration leaseRemaining) implements Result {}

        /** The attempt was settled before, in another way. */
        record SettledOtherwise(State state) implements Result {}
    }

    private final SemelEngine semel;
    private final UnknownOutcomes unknowns;

    public ServiceSettlements(SemelEngine semel) {
        this.semel = semel;
        this.unknowns = semel.unknownOutcomes();
    }

    /**
     * Settles. Blocks while it asks the store.
     *
     * @param retentions how long a settled record of an operation is kept, by its name
     * @throws dev.semel.StoreException when the store failed: the same request can be made again
     */
    public Result settle(SettleRequest request, Retentions retentions) {
        Identity stored = semel.stored(request.sent());
        Optional<StoredRecord> found = unknowns.findSealed(stored);
        if (found.isEmpty()) {
            return new Result.NoSuchRecord();
        }
        StoredRecord record = found.get();
        if (record.fence() == request.fence() && record.state() == State.UNKNOWN) {
            Reconciliation answer =
                    unknowns.settle(record.lease(), retentions.of(record.operation()), request.verdict(), SOURCE);
            if (answer instanceof Reconciliation.Accepted) {
                return new Result.Settled(meant(request));
            }
            if (answer instanceof Reconciliation.NotUnknown changed) {
                record = changed.current();
            }
        }
        return resultOf(record, request);
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

    private Result resultOf(StoredRecord record, SettleRequest request) {
        if (record.fence() != request.fence()) {
            return wasReleased(record, request)
                    ? new Result.Settled(State.FAILED_RETRYABLE)
                    : new Result.FenceChanged(record.state(), record.fence());
        }
        if (record.state() == State.IN_PROGRESS) {
            return new Result.InProgress(record.leaseRemaining());
        }
        boolean same = record.state() == meant(request) && hasResponse(request);
        return same ? new Result.Settled(record.state()) : new Result.SettledOtherwise(record.state());
    }

    private static State meant(SettleRequest request) {
        return request.verdict() instanceof Verdict.DidNotHappen ? State.FAILED_RETRYABLE : State.COMPLETED;
    }

    /** Whether what is recorded is what the service says, where it says that it happened. */
    private boolean hasResponse(SettleRequest request) {
        if (!(request.verdict() instanceof Verdict.Happened happened)) {
            return true;
        }
        Optional<RecordedResponse> recorded = semel.find(request.sent())
                .flatMap(record -> Optional.ofNullable(record.response()))
                .flatMap(RecordedResponse::from);
        return recorded.isPresent() && recorded.equals(RecordedResponse.from(happened.response()));
    }

    /** Whether the service has settled that attempt as not executed before the key was claimed again. */
    private boolean wasReleased(StoredRecord record, SettleRequest request) {
        return request.verdict() instanceof Verdict.DidNotHappen
                && unknowns.history(record.identity()).stream()
                        .anyMatch(entry -> entry.change() == AuditEntry.Change.RECONCILED
                                && entry.fence() == request.fence()
                                && entry.to() == State.FAILED_RETRYABLE
                                && entry.who().equals(SOURCE));
    }
}
