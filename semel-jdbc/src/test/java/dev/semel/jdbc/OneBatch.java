package dev.semel.jdbc;

import dev.semel.Identity;
import dev.semel.jdbc.PostgresBatch.Renewing;
import dev.semel.jdbc.PostgresBatch.Settling;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.BatchLimits;
import dev.semel.jdbc.batch.BatchThreads;
import dev.semel.jdbc.batch.Batcher;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Calls that are flushed as one batch, however fast the machine is. */
final class OneBatch {

    private OneBatch() {}

    /** Flushes the calls on this thread; each has its answer or its fault afterwards. */
    static <C extends BatchCall<?, ?>> void flush(Consumer<List<C>> flush, List<? extends C> calls) {
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<C> batcher = new Batcher<>(BatchLimits.oneLane(), threads, flush)) {
            batcher.together(() -> calls.forEach(batcher::submit));
        }
    }

    /** The answers in the order of the calls, where all have one. */
    static <A> List<A> answers(List<? extends BatchCall<?, A>> calls) {
        return calls.stream().<A>map(BatchCall::answer).toList();
    }

    /** What a caller that does not wait gets. */
    static <A> CompletableFuture<A> future(BatchCall<?, A> call) {
        return call.stage().toCompletableFuture();
    }

    static List<PostgresCall.Claim> claims(List<ClaimRequest> requests) {
        return requests.stream().map(PostgresCall.Claim::new).toList();
    }

    static List<PostgresCall.Settle> settlements(List<Settling> settlements) {
        return settlements.stream().map(PostgresCall.Settle::new).toList();
    }

    static List<ClaimAnswer> claim(PostgresFlushes flushes, List<ClaimRequest> requests) {
        List<PostgresCall.Claim> calls = claims(requests);
        flush(flushes::write, calls);
        return answers(calls);
    }

    static List<SettleAnswer> settle(PostgresFlushes flushes, List<Settling> settlements) {
        List<PostgresCall.Settle> calls = settlements(settlements);
        flush(flushes::write, calls);
        return answers(calls);
    }

    static List<RenewAnswer> renew(PostgresFlushes flushes, List<Renewing> renewals) {
        List<BatchCall<Renewing, RenewAnswer>> calls = calls(renewals);
        flush(flushes::renew, calls);
        return answers(calls);
    }

    static List<Optional<StoredRecord>> find(PostgresFlushes flushes, List<Identity> identities) {
        List<BatchCall<Identity, Optional<StoredRecord>>> calls = calls(identities);
        flush(flushes::find, calls);
        return answers(calls);
    }

    static <Q, A> List<BatchCall<Q, A>> calls(List<Q> questions) {
        return questions.stream()
                .map(question -> new BatchCall<Q, A>(question, 1))
                .toList();
    }
}
