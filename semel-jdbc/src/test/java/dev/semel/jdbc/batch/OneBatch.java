package dev.semel.jdbc.batch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Calls that are flushed as one batch, however fast the machine is. */
public final class OneBatch {

    private OneBatch() {}

    /** Flushes the calls on this thread; each has its answer or its fault afterwards. */
    public static <C extends BatchCall<?, ?>> void flush(Consumer<List<C>> flush, List<? extends C> calls) {
        try (BatchThreads threads = new BatchThreads("test");
                Batcher<C> batcher = new Batcher<>(BatchLimits.oneLane(), threads, flush)) {
            batcher.together(() -> calls.forEach(batcher::submit));
        }
    }

    /** The answers in the order of the calls, where all have one. */
    public static <A> List<A> answers(List<? extends BatchCall<?, A>> calls) {
        return calls.stream().<A>map(BatchCall::answer).toList();
    }

    /** What a caller that does not wait gets. */
    public static <A> CompletableFuture<A> future(BatchCall<?, A> call) {
        return call.stage().toCompletableFuture();
    }

    public static <Q, A> List<BatchCall<Q, A>> calls(List<Q> questions) {
        return questions.stream()
                .map(question -> new BatchCall<Q, A>(question, 1))
                .toList();
    }
}
