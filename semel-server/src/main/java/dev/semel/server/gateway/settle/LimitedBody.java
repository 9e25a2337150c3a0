package dev.semel.server.gateway.settle;

import dev.semel.http.Body;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Reads a body up to a limit, and breaks a longer one off. */
final class LimitedBody implements BodySubscriber<LimitedBody.Read> {

    /**
     * What was read.
     *
     * @param whole false when there was more
     */
    record Read(Body body, boolean whole) {}

    private final int limit;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final CompletableFuture<Read> read = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    LimitedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Read> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Subscription newSubscription) {
        subscription = newSubscription;
        newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (held.size() + (long) buffer.remaining() > limit) {
                if (subscription != null) {
                    subscription.cancel();
                }
                read.complete(new Read(Body.EMPTY, false));
                return;
            }
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            held.writeBytes(bytes);
        }
    }

    @Override
    public void onError(Throwable cause) {
        read.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        read.complete(new Read(Body.of(held.toByteArray()), true));
    }
}
