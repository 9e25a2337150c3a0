package dev.semel.jdbc.batch;

import dev.semel.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One caller's question in a batch, and the place for its answer. A batcher whose questions are of several kinds has a sealed
 * subclass for each.
 *
 * <p>A flush notes the answer. The caller gets it when the batch is over, so that no code of a caller runs in a flush.
 */
public class BatchCall<Q, A> {

    private final Q question;
    private final long bytes;
    private final ToLongFunction<A> answerBytes;
    private final CompletableFuture<A> stage = new CompletableFuture<>();
    private @Nullable A answer;
    private @Nullable Throwable fault;

    /** @param bytes about how much of the question is sent to the database */
    public BatchCall(Q question, long bytes) {
        this(question, bytes, answer -> 0);
    }

    /** @param answerBytes about how much memory an answer takes */
    public BatchCall(Q question, long bytes, ToLongFunction<A> answerBytes) {
        this.question = question;
        this.bytes = bytes;
        this.answerBytes = answerBytes;
    }

    public final Q question() {
        return question;
    }

    /** Notes the answer; the first one counts. */
    public final void answer(A noted) {
        if (isOpen()) {
            answer = noted;
        }
    }

    /** Notes why there is no answer. */
    public final void fail(Throwable noted) {
        if (isOpen()) {
            fault = noted;
        }
    }

    /** Whether neither an answer nor a fault was noted yet. */
    public final boolean isOpen() {
        return answer == null && fault == null;
    }

    /** Returns the answer, or throws the fault; for a caller that has waited. */
    public final A answer() {
        if (answer != null) {
            return answer;
        }
        if (fault() instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault();
    }

    private Throwable fault() {
        return fault == null ? new StoreException("the store gave no answer") : fault;
    }

    /** Returns the future answer, for a caller that does not wait. */
    public final CompletionStage<A> stage() {
        return stage;
    }

    long bytes() {
        return bytes;
    }

    long answerBytes() {
        return answer == null ? 0 : answerBytes.applyAsLong(answer);
    }

    /** Ends the wait of the caller, and runs what it made depend on the answer. */
    void complete() {
        if (answer != null) {
            stage.complete(answer);
        } else {
            stage.completeExceptionally(fault());
        }
    }

    /** Waits until {@link #complete}, also when the thread is interrupted. */
    void await() {
        try {
            stage.join();
        } catch (CompletionException e) {
            // answer() throws the fault itself.
        }
    }
}
