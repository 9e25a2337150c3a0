package dev.semel.jdbc;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One caller's question in a batch, and the stage that it waits on.
 *
 * <p>An answer is noted while the batch is on its way, and told when its lane is free again: whatever the callers do with
 * it, it keeps nobody's connection.
 *
 * <p>A call that nobody else waits with rests until its caller shows what it is about. If it blocks, it does the work itself;
 * if it makes something depend on the stage, or only looks at it, a worker is called.
 */
final class BatchCall<Q, A> extends CompletableFuture<A> {

    private final Batcher<Q, A> batcher;
    private final Q question;
    private final long bytes;
    private @Nullable A answer;
    private @Nullable Throwable fault;
    private volatile boolean resting;

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

    /** Leaves the work to a caller who blocks, until {@link #rouse}. */
    void rest() {
        resting = true;
    }

    /** Calls a worker, unless that was done already. */
    void rouse() {
        if (resting) {
            resting = false;
            batcher.callWorker();
        }
    }

    @Override
    public A join() {
        help();
        return super.join();
    }

    @Override
    public A get() throws InterruptedException, ExecutionException {
        help();
        return super.get();
    }

    private void help() {
        if (!super.isDone()) {
            batcher.help(this);
        }
    }

    @Override
    public A get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        rouse();
        return super.get(timeout, unit);
    }

    @Override
    public boolean isDone() {
        rouse();
        return super.isDone();
    }

    @Override
    public A getNow(A valueIfAbsent) {
        rouse();
        return super.getNow(valueIfAbsent);
    }

    /** What else can be done with a stage begins with this. */
    @Override
    public CompletableFuture<A> toCompletableFuture() {
        rouse();
        return this;
    }

    /** Stages that depend on this one are ordinary: nobody can help them along. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        rouse();
        return new CompletableFuture<>();
    }
}
