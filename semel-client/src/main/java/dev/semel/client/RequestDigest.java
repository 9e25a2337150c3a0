package dev.semel.client;

import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** A digest of a request's method, URI, media type and body, by which a resumed intent is compared with the first. */
final class RequestDigest implements Flow.Subscriber<ByteBuffer> {

    private final MessageDigest digest;
    private final CompletableFuture<String> result = new CompletableFuture<>();

    private RequestDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static CompletableFuture<String> of(ClientIntent intent) {
        RequestDigest digest = new RequestDigest();
        HttpRequest request = intent.request();
        digest.add(request.method());
        digest.add(request.uri().toString());
        if (intent.meaning().isPresent()) {
            digest.add("meaning");
            digest.add(intent.meaning().get());
            digest.onComplete();
            return digest.result;
        }
        digest.add("body");
        digest.add(String.join(",", request.headers().allValues("Content-Type")));
        if (request.bodyPublisher().isPresent()) {
            request.bodyPublisher().get().subscribe(digest);
        } else {
            digest.onComplete();
        }
        return digest.result;
    }

    /** Adds a part with its length, so that different lists of parts differ in bytes. The body is last and needs no length. */
    private void add(String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer part) {
        digest.update(part.duplicate());
    }

    @Override
    public void onError(Throwable failure) {
        result.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        result.complete(HexFormat.of().formatHex(digest.digest()));
    }
}
