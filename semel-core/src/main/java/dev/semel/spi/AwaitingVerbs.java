package dev.semel.spi;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Blocking verbs that wait for the stages of asynchronous ones. */
record AwaitingVerbs(RequestVerbs verbs) implements BlockingVerbs {

    @Override
    public ClaimAnswer claim(ClaimRequest request) {
        return await(verbs.claim(request));
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        return await(verbs.settle(lease, outcome, retention));
    }

    @Override
    public StepAnswer step(Lease lease, String name, Response result) {
        return await(verbs.step(lease, name, result));
    }

    @Override
    public Optional<StoredRecord> find(Identity identity) {
        return await(verbs.find(identity));
    }

    private static <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage instanceof CompletableFuture<T> own ? own : stage.toCompletableFuture();
        try {
            return future.join();
        } catch (CompletionException | CancellationException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cause instanceof StoreException fault
                    ? fault
                    : new StoreException("the store failed: " + cause, cause);
        }
    }
}
