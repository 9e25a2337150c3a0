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
 * A subscriber that buffers the start of a body, chooses the body's reader by it, and passes the whole body to that reader.
 *
 * <ol>
 *   <li>It requests one list of buffers after the other and keeps them, up to the end of the body or 64 KiB.
 *   <li>Then it calls the function that chooses the reader, and subscribes the reader.
 *   <li>The reader's first request delivers the kept buffers; later requests go upstream, and signals downstream, unchanged.
 * </ol>
 */
final class PeekingSubscriber<T> implements BodySubscriber<T> {

    /** Longer than any problem document, and small in memory. */
    static final int LIMIT = 64 * 1024;

    private final Function<byte[], BodySubscriber<T>> choose;
    private final CompletableFuture<T> body = new CompletableFuture<>();
    private final List<ByteBuffer> kept = new ArrayList<>();
    private long bytes;
    private Flow.@Nullable Subscription upstream;
    private @Nullable Reader reader;

    /** @param choose gets the whole body, or an empty array if it is longer than the limit */
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
        try {
            BodySubscriber<T> chosen = choose.apply(beginning);
            reader = new Reader(chosen, complete);
            chosen.onSubscribe(reader);
            if (complete && bytes == 0) {
                reader.end();
            }
            chosen.getBody().whenComplete((value, failure) -> {
                if (failure != null) {
                    body.completeExceptionally(failure);
                } else {
                    body.complete(value);
                }
            });
        } catch (RuntimeException e) {
            if (upstream != null) {
                upstream.cancel();
            }
            body.completeExceptionally(e);
        }
    }

    /** The chosen reader and its subscription: first to the kept buffers, then to upstream. */
    private final class Reader implements Flow.Subscription {

        private final BodySubscriber<T> chosen;
        private boolean complete;
        private long demand;
        private boolean delivering;
        private boolean delivered;
        private boolean cancelled;
        private @Nullable Throwable failure;

        private Reader(BodySubscriber<T> chosen, boolean complete) {
            this.chosen = chosen;
            this.complete = complete;
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                cancel();
                chosen.onError(new IllegalArgumentException("the number of requested items must be positive: " + n));
                return;
            }
            boolean first;
            synchronized (this) {
                if (cancelled || (delivered && complete)) {
                    return;
                }
                first = !delivered;
                if (first) {
                    demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
                    if (delivering) {
                        // The thread that delivers will see the new demand.
                        return;
                    }
                    delivering = true;
                }
            }
            if (first) {
                deliver();
            } else {
                requestUpstream(n);
            }
        }

        /** Completes an empty body, without a request. */
        void end() {
            synchronized (this) {
                if (delivering || delivered) {
                    return;
                }
                delivering = true;
            }
            deliver();
        }

        private void deliver() {
            if (!kept.isEmpty()) {
                chosen.onNext(List.copyOf(kept));
                kept.clear();
            }
            long more;
            boolean over;
            Throwable error;
            synchronized (this) {
                delivered = true;
                delivering = false;
                if (cancelled) {
                    return;
                }
                more = demand == Long.MAX_VALUE ? demand : demand - 1;
                over = complete;
                error = failure;
            }
            if (error != null) {
                chosen.onError(error);
            } else if (over) {
                chosen.onComplete();
            } else if (more > 0) {
                requestUpstream(more);
            }
        }

        private void requestUpstream(long n) {
            if (upstream != null) {
                upstream.request(n);
            }
        }

        void onNext(List<ByteBuffer> buffers) {
            chosen.onNext(buffers);
        }

        /** The end can arrive before the first request, like a failure; the kept buffers are delivered first. */
        void onComplete() {
            synchronized (this) {
                if (!delivered) {
                    complete = true;
                    return;
                }
            }
            chosen.onComplete();
        }

        void onError(Throwable error) {
            synchronized (this) {
                if (!delivered) {
                    failure = error;
                    return;
                }
            }
            chosen.onError(error);
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
