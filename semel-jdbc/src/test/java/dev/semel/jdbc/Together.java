package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Questions that are flushed as one batch, whatever the machine does. */
final class Together {

    private Together() {}

    /** What each is told, in the order of the questions. */
    static <Q, A> List<CompletableFuture<A>> flush(Batcher.Flush<Q, A> flush, List<Q> questions) {
        List<Runnable> workers = new ArrayList<>();
        Batcher<Q, A> batcher = new Batcher<>(BatchLimits.ofLanes(1), workers::add, flush);
        List<CompletableFuture<A>> calls = new ArrayList<>();
        for (Q question : questions) {
            calls.add(batcher.submit(question, 1).toCompletableFuture());
        }
        List.copyOf(workers).forEach(Runnable::run);
        assertThat(calls).allSatisfy(call -> assertThat(call).isDone());
        return calls;
    }

    /** The answers, where all have one. */
    static <Q, A> List<A> answers(Batcher.Flush<Q, A> flush, List<Q> questions) {
        return flush(flush, questions).stream().map(CompletableFuture::join).toList();
    }
}
