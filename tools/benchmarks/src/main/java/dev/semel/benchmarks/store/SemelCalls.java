package dev.semel.benchmarks.store;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Operation.ClaimTime;
import dev.semel.Scope;
import dev.semel.benchmarks.load.AsyncCall;
import dev.semel.benchmarks.load.Call;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What applications ask of SemelEngine, with work that costs nothing. */
public final class SemelCalls {

    private static final Operation OPERATION = Operation.named("bench");

    /** In a transaction a claim waits for the transaction that holds the key, as the application's other statements do. */
    private static final Operation WAITING = OPERATION.waitUpTo(Duration.ofSeconds(10));

    private static final Operation WAITING_LATE = WAITING.claim(ClaimTime.LATE);

    private static final Scope SCOPE = Scope.of(Payload.SCOPE);
    private static final Codec<byte[]> CODEC = Codec.bytes();

    private final SemelEngine semel;
    private final byte[] response = Payload.response();

    public SemelCalls(SemelEngine semel) {
        this.semel = semel;
    }

    static Intent intent(String key) {
        return Intent.of(OPERATION, SCOPE, Key.of(key), Payload.FINGERPRINT);
    }

    static Intent waitingIntent(String key, ClaimTime claim) {
        Operation operation = claim == ClaimTime.LATE ? WAITING_LATE : WAITING;
        return Intent.of(operation, SCOPE, Key.of(key), Payload.FINGERPRINT);
    }

    /** New keys, each executed and completed. */
    public Call pairs(Keys keys) {
        return () -> complete(keys.next());
    }

    /** One new key. */
    public void complete(String key) {
        requireRan(semel.execute(intent(key), CODEC, attempt -> response));
    }

    public AsyncCall asyncPairs(Keys keys) {
        CompletionStage<byte[]> done = CompletableFuture.completedFuture(response);
        return () ->
                semel.executeAsync(intent(keys.next()), CODEC, attempt -> done).thenAccept(SemelCalls::requireRan);
    }

    /** Keys that were completed before. */
    public Call replays(ReplayedKeys keys) {
        return () -> replay(keys.any());
    }

    void replay(String key) {
        requireReplayed(semel.execute(intent(key), CODEC, attempt -> {
            throw new IllegalStateException("the key was to be completed already");
        }));
    }

    public AsyncCall asyncReplays(ReplayedKeys keys) {
        return () -> semel.executeAsync(
                        intent(keys.any()),
                        CODEC,
                        attempt -> CompletableFuture.<byte[]>failedFuture(
                                new IllegalStateException("the key was to be completed already")))
                .thenAccept(SemelCalls::requireReplayed);
    }

    /** New keys that are claimed and left: the store alone, since an engine would go on renewing their leases. */
    static Call claims(Store store, Keys keys) {
        return () -> requireGranted(store.blocking().claim(request(keys.next())));
    }

    static AsyncCall asyncClaims(Store store, Keys keys) {
        return () -> store.claim(request(keys.next())).thenAccept(SemelCalls::requireGranted);
    }

    private static ClaimRequest request(String key) {
        return new ClaimRequest(
                new Identity(SCOPE, Key.of(key)),
                OPERATION.name(),
                Payload.FINGERPRINT,
                OPERATION.lease(),
                false,
                UUID.randomUUID().toString());
    }

    private static void requireRan(Execution<byte[]> execution) {
        if (!(execution instanceof Execution.Ran)) {
            throw new IllegalStateException("a new key was not executed: " + execution);
        }
    }

    private static void requireReplayed(Execution<byte[]> execution) {
        if (!(execution instanceof Execution.Replayed)) {
            throw new IllegalStateException("a completed key was not replayed: " + execution);
        }
    }

    private static void requireGranted(ClaimAnswer answer) {
        if (!(answer instanceof ClaimAnswer.Granted)) {
            throw new IllegalStateException("a new key was not granted: " + answer);
        }
    }
}
