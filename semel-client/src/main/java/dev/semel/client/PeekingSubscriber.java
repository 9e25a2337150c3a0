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
    private @Nullable Reader reader;

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

    /** Who reads the body, and its subscription: to what was kept, and then to what comes from upstream. */
    private final class Reader implements Flow.Subscription {

        private final BodySubscriber<T> chosen;
        private boolean complete;
        private long wanted;
        private boolean giving;
        private boolean given;
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
                chosen.onError(new IllegalArgumentException("a request for " + n + " items"));
                return;
            }
            boolean first;
            synchronized (this) {
                if (cancelled || (given && complete)) {
                    return;
                }
                first = !given;
                if (first) {
                    wanted = wanted + n < 0 ? Long.MAX_VALUE : wanted + n;
                    if (giving) {
                        // Whoever is giving will see that more is wanted.
                        return;
                    }
                    giving = true;
                }
            }
            if (first) {
                give();
            } else {
                requestUpstream(n);
            }
        }

        /** An empty body ends without being asked for. */
        void end() {
            synchronized (this) {
                if (giving || given) {
                    return;
                }
                giving = true;
            }
            give();
        }

        private void give() {
            if (!kept.isEmpty()) {
                chosen.onNext(List.copyOf(kept));
                kept.clear();
            }
            long more;
            boolean over;
            Throwable error;
            synchronized (this) {
                given = true;
                giving = false;
                if (cancelled) {
                    return;
                }
                more = wanted == Long.MAX_VALUE ? wanted : wanted - 1;
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

        /** The end, like a lost connection, can come without being asked for, but what was kept comes first. */
        void onComplete() {
            synchronized (this) {
                if (!given) {
                    complete = true;
                    return;
                }
            }
            chosen.onComplete();
        }

        void onError(Throwable error) {
            synchronized (this) {
                if (!given) {
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
