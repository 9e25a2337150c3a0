package dev.semel.client;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/**
 * An HTTP client whose requests are safe to retry, and which retries them.
 *
 * <ol>
 *   <li>Every intent has one key, and every attempt sends it. The key is a new UUID of version 7, or the caller's.
 *   <li>A response that is not the answer yet, a lost connection and a timeout lead to another attempt, after a pause, until
 *       the deadline. Which responses those are is for the {@link RetryRule} to say.
 *   <li>Everything else is the answer, and says whether it was replayed.
 *   <li>When there is no answer, the result says whether the request may have been executed, and which key to keep.
 *   <li>With a journal, an intent is on record before it is sent, and is resumed with the same key after a crash.
 * </ol>
 *
 * <p>It relies on the server to execute a key at most once. It holds no resources of its own, and is safe for use by many
 * threads.
 */
public final class IdempotentClient {

    private final ClientSettings settings;

    IdempotentClient(ClientSettings settings) {
        this.settings = settings;
    }

    /** Begins a client that sends its attempts with this one, by its proxy, authenticator, protocol and so on. */
    public static IdempotentClientBuilder over(HttpClient http) {
        return new IdempotentClientBuilder(http);
    }

    /** A client with the defaults, over a client with the defaults. */
    public static IdempotentClient create() {
        return over(HttpClient.newHttpClient()).build();
    }

    /**
     * Sends a new intent, with a new key.
     *
     * @throws IllegalArgumentException for a request that has a key already, or a method that needs none
     */
    public <T> Result<T> send(HttpRequest request, BodyHandler<T> handler) {
        return send(Intent.of(request), handler);
    }

    /**
     * Sends an intent and waits for what becomes of it. When the thread is interrupted, the result says so, and the thread
     * stays interrupted.
     *
     * @param handler reads the body of the final answer, and of no other. Where it hands the body on before it is complete, as
     *     {@code ofInputStream} and {@code ofPublisher} do, a body that breaks off later is for the caller to ask for again,
     *     with the same key
     * @throws IntentRefusedException for a journaled intent that cannot be resumed safely
     * @throws java.io.UncheckedIOException when the journal cannot be written, so that nothing was sent
     */
    public <T> Result<T> send(Intent intent, BodyHandler<T> handler) {
        return new Call<>(settings, intent, handler).await();
    }

    /** {@link #send(HttpRequest, BodyHandler)} without blocking. */
    public <T> CompletableFuture<Result<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(Intent.of(request), handler);
    }

    /**
     * {@link #send(Intent, BodyHandler)} without blocking: no thread is held during an attempt, nor between two of them.
     *
     * <p>Cancelling the future stops the attempts. Whether one of them was executed is then not known; give an intent whose
     * future may be cancelled a key or a name of your own.
     */
    public <T> CompletableFuture<Result<T>> sendAsync(Intent intent, BodyHandler<T> handler) {
        return new Call<>(settings, intent, handler).start();
    }
}
