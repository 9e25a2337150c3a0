package dev.semel.jdbc;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One caller's question in a batch, and the stage that it waits on.
 *
 * <p>An answer is noted while the batch is on its way, and told when its lane is free again: whatever the callers do with
 * it, it keeps nobody's connection. A caller who blocks on the stage while nobody else waits does the work itself.
 */
final class BatchCall<Q, A> extends CompletableFuture<A> {

    private final Batcher<Q, A> batcher;
    private final Q question;
    private final long bytes;
    private @Nullable A answer;
    private @Nullable Throwable fault;

    BatchCall(Batcher<Q, A> batcher, Q question, long bytes) {
        this.batcher = batcher;
        this.question = question;
        this.bytes = bytes;
    }

    Q question() {
        return question;
    }

    long bytes() {
        return bytes;
    }

    /** How much memory the answer takes that was noted. */
    long answerBytes() {
        return AnswerSize.of(answer);
    }

    /** Notes the answer; the first one counts. */
    void answer(A theAnswer) {
        if (isOpen()) {
            answer = theAnswer;
        }
    }

    /** Notes why there is no answer. */
    void fail(Throwable theFault) {
        if (isOpen()) {
            fault = theFault;
        }
    }

    /** Whether nothing was noted yet. */
    boolean isOpen() {
        return answer == null && fault == null;
    }

    /** Tells the caller what was noted. */
    void tell() {
        if (answer != null) {
            complete(answer);
        } else {
            completeExceptionally(fault == null ? new StoreException("the store gave no answer") : fault);
        }
    }

    @Override
    public A join() {
        batcher.help(this);
        return super.join();
    }

    @Override
    public A get() throws InterruptedException, ExecutionException {
        batcher.help(this);
        return super.get();
    }

    /** Stages that depend on this one are ordinary: nobody can help them along. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
