package dev.semel.client;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/**
 * An HTTP client that makes requests safe to retry, and retries them.
 *
 * <ol>
 *   <li>Every intent has one key, and every attempt sends it. The key is a new UUID of version 7, or the caller's own.
 *   <li>A transient error response, a lost connection and a timeout lead to another attempt, after a pause, until the
 *       deadline. The {@link RetryRule} decides which responses are retried.
 *   <li>Any other response is the answer; the result says whether the server replayed it.
 *   <li>Without an answer, the result says whether the request may have been executed, and which key to keep.
 *   <li>With a journal, an intent is recorded before it is sent, and is resumed with the same key after a crash.
 * </ol>
 *
 * <p>It relies on the server to execute a key at most once. It is safe for use by many threads, and needs no closing: its one
 * timer thread runs only while calls are in progress.
 */
public final class IdempotentClient {

    private final ClientSettings settings;

    IdempotentClient(ClientSettings settings) {
        this.settings = settings;
    }

    /** Starts to configure a client that sends its attempts with this HTTP client, with its proxy, authenticator and so on. */
    public static IdempotentClientBuilder over(HttpClient http) {
        return new IdempotentClientBuilder(http);
    }

    /** Creates a client with all defaults, over an HTTP client with all defaults. */
    public static IdempotentClient create() {
        return over(HttpClient.newHttpClient()).build();
    }

    /**
     * Sends a new intent, with a new key.
     *
     * @throws IllegalArgumentException for a request that has a key already, or a method that needs none
     */
    public <T> Result<T> send(HttpRequest request, BodyHandler<T> handler) {
        return send(ClientIntent.of(request), handler);
    }

    /**
     * Sends an intent and waits for the result. If the thread is interrupted, the result says so, and the thread stays
     * interrupted.
     *
     * @param handler reads the body of the final answer only. If it returns before the body is complete, as
     *     {@code ofInputStream} and {@code ofPublisher} do, and the body breaks off later, the caller has to send the intent
     *     again, with the same key
     * @throws IntentRefusedException for a journaled intent that cannot be resumed safely
     * @throws java.io.UncheckedIOException when the journal cannot be written, so that nothing was sent
     */
    public <T> Result<T> send(ClientIntent intent, BodyHandler<T> handler) {
        return new Call<>(settings, intent, handler).await();
    }

    /** {@link #send(HttpRequest, BodyHandler)} without blocking. */
    public <T> CompletableFuture<Result<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(ClientIntent.of(request), handler);
    }

    /**
     * {@link #send(ClientIntent, BodyHandler)} without blocking a thread, neither during an attempt nor between two.
     *
     * <p>Cancelling the future stops the attempts. Whether one of them was executed is then unknown; give an intent whose
     * future may be cancelled a key or a name of your own.
     */
    public <T> CompletableFuture<Result<T>> sendAsync(ClientIntent intent, BodyHandler<T> handler) {
        return new Call<>(settings, intent, handler).start();
    }
}
