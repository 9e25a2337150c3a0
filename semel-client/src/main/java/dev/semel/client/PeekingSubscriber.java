package dev.semel.client;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the beginning of a body, lets somebody choose by it who reads the body, and gives that one all of it.
 *
 * <ol>
 *   <li>Up to the end of the body, or to 64 KiB of it, it takes one list of buffers after the other, and keeps them.
 *   <li>Then it asks for the reader, and subscribes it to what was kept and whatever is still to come.
 *   <li>What was kept goes first, as soon as the reader asks for anything; from then on requests go upstream and signals
 *       downstream as they are.
 * </ol>
 */
final class PeekingSubscriber<T> implements BodySubscriber<T> {

    /** Longer than any problem, and nothing to worry about in memory. */
    static final int LIMIT = 64 * 1024;

    private final Function<byte[], BodySubscriber<T>> choose;
    private final CompletableFuture<T> body = new CompletableFuture<>();
    private final List<ByteBuffer> kept = new ArrayList<>();
    private long bytes;
    private Flow.@Nullable Subscription upstream;
    private @Nullable BodySubscriber<T> reader;

    /** @param choose by the whole body; by nothing, if it is longer than the limit */
    PeekingSubscriber(Function<byte[], BodySubscriber<T>> choose) {
        this.choose = choose;
    }

    @Override
    public CompletionStage<T> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        if (upstream != null) {
            subscription.cancel();
            return;
        }
        upstream = subscription;
        subscription.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (reader != null) {
            reader.onNext(buffers);
            return;
        }
        for (ByteBuffer buffer : buffers) {
            kept.add(buffer);
            bytes += buffer.remaining();
        }
        if (bytes > LIMIT) {
            handOver(new byte[0], false);
        } else if (upstream != null) {
            upstream.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        if (reader != null) {
            reader.onError(failure);
        } else {
            body.completeExceptionally(failure);
        }
    }

    @Override
    public void onComplete() {
        if (reader != null) {
            reader.onComplete();
        } else {
            handOver(copyOfKept(), true);
        }
    }

    private byte[] copyOfKept() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        for (ByteBuffer buffer : kept) {
            byte[] part = new byte[buffer.remaining()];
            buffer.duplicate().get(part);
            copy.writeBytes(part);
        }
        return copy.toByteArray();
    }

    private void handOver(byte[] beginning, boolean complete) {
        BodySubscriber<T> chosen;
        try {
            chosen = choose.apply(beginning);
        } catch (RuntimeException e) {
            if (upstream != null && !complete) {
                upstream.cancel();
            }
            body.completeExceptionally(e);
            return;
        }
        reader = chosen;
        Kept subscription = new Kept(chosen, complete);
        chosen.onSubscribe(subscription);
        if (complete && bytes == 0) {
            // The end comes without being asked for.
            subscription.give();
        }
        chosen.getBody().whenComplete((value, failure) -> {
            if (failure != null) {
                body.completeExceptionally(failure);
            } else {
                body.complete(value);
            }
        });
    }

    /** The reader's subscription: what was kept, and then what comes from upstream. */
    private final class Kept implements Flow.Subscription {

        private final BodySubscriber<T> reader;
        private final boolean complete;
        private long wanted;
        private boolean giving;
        private boolean given;
        private boolean cancelled;

        private Kept(BodySubscriber<T> reader, boolean complete) {
            this.reader = reader;
            this.complete = complete;
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                cancel();
                reader.onError(new IllegalArgumentException("a request for " + n + " items"));
                return;
            }
            synchronized (this) {
                if (cancelled || (given && complete)) {
                    return;
                }
                if (!given) {
                    wanted = saturated(wanted + n);
                }
            }
            if (!give()) {
                requestUpstream(n);
            }
        }

        /** Gives what was kept; returns whether that, or the turn of whoever is giving it, takes care of what is wanted. */
        private boolean give() {
            synchronized (this) {
                if (given || giving) {
                    return giving;
                }
                giving = true;
            }
            if (!kept.isEmpty()) {
                reader.onNext(List.copyOf(kept));
                kept.clear();
            }
            long more;
            synchronized (this) {
                given = true;
                giving = false;
                if (cancelled) {
                    return true;
                }
                more = wanted == Long.MAX_VALUE ? wanted : wanted - 1;
            }
            if (complete) {
                reader.onComplete();
            } else if (more > 0) {
                requestUpstream(more);
            }
            return true;
        }

        private static long saturated(long sum) {
            return sum < 0 ? Long.MAX_VALUE : sum;
        }

        private void requestUpstream(long n) {
            if (upstream != null) {
                upstream.request(n);
            }
        }

        @Override
        public void cancel() {
            synchronized (this) {
                cancelled = true;
            }
            if (upstream != null) {
                upstream.cancel();
            }
        }
    }
}
