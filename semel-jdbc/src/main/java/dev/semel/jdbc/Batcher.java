package dev.semel.jdbc;

import dev.semel.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls that share round trips and commits: whatever arrives while every lane is busy forms the next batch.
 *
 * <ol>
 *   <li>A call waits in a queue, which is bounded: past that, it fails at once.
 *   <li>A lane that is free takes what waits, in the order of arrival, and flushes it. There are few lanes and no timers:
 *       an idle lane takes a single call, busy ones let batches grow.
 *   <li>A caller who blocks while nobody else waits takes a free lane and flushes its own call, without another thread.
 *   <li>The lane is free again before anybody is told an answer, so that no caller's code keeps it.
 *   <li>A batch of which nothing was written, where one call may be to blame, is divided and its parts are tried again.
 *       Every other fault is told to those calls of the batch that have no answer yet.
 *   <li>When there is no connection, those who wait are told at once instead of waiting for it one after the other.
 *   <li>Closing refuses new calls and flushes those that wait.
 * </ol>
 */
final class Batcher<Q, A> implements AutoCloseable {

    /** A batch with one bad call is in its parts after three divisions, and most of its other calls after one. */
    private static final int PARTS = 8;

    /** Enough for a handful of bad calls; where everything fails, the batch ends instead of trying call by call. */
    private static final int MOST_DIVISIONS = 16;

    /** Longer than any statement may take. */
    private static final long CLOSING_SECONDS = 20;

    /** Asks the store. It notes an answer on every call, or throws; calls that have an answer by then keep it. */
    interface Flush<Q, A> {
        void flush(List<BatchCall<Q, A>> calls);
    }

    private final BatchLimits limits;
    private final Executor workers;
    private final Flush<Q, A> flush;
    private final Queue<BatchCall<Q, A>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCalls = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger calledWorkers = new AtomicInteger();
    private final Semaphore freeLanes;
    private volatile boolean closed;

    Batcher(BatchLimits limits, Executor workers, Flush<Q, A> flush) {
        this.limits = limits;
        this.workers = workers;
        this.flush = flush;
        this.freeLanes = new Semaphore(limits.lanes());
    }

    /** Asks, together with whoever else does. */
    CompletionStage<A> submit(Q question, long bytes) {
        if (closed) {
            return CompletableFuture.failedFuture(closedFault());
        }
        BatchCall<Q, A> call = new BatchCall<>(this, question, bytes);
        if (!admit(bytes)) {
            return CompletableFuture.failedFuture(
                    new StoreException("too many requests wait for the store; come back later"));
        }
        waiting.add(call);
        if (closed && take(call)) {
            return CompletableFuture.failedFuture(closedFault());
        }
        callWorker();
        return call;
    }

    /** One call is always admitted, however large. */
    private boolean admit(long bytes) {
        int calls = waitingCalls.incrementAndGet();
        long all = waitingBytes.addAndGet(bytes);
        if (calls == 1 || (calls <= limits.waitingCalls() && all <= limits.waitingBytes())) {
            return true;
        }
        leave(bytes);
        return false;
    }

    private void leave(long bytes) {
        waitingBytes.addAndGet(-bytes);
        waitingCalls.decrementAndGet();
    }

    private boolean take(BatchCall<Q, A> call) {
        if (!waiting.remove(call)) {
            return false;
        }
        leave(call.bytes());
        return true;
    }

    /**
     * Flushes this call on the thread of the caller who waits for it, if nobody else waits and a lane is free. Not on a
     * thread that is interrupted: whatever waits there gives up, and the call would fail for no fault of the store.
     */
    void help(BatchCall<Q, A> call) {
        if (call.isDone()
                || waitingCalls.get() != 1
                || Thread.currentThread().isInterrupted()
                || !freeLanes.tryAcquire()) {
            return;
        }
        if (take(call)) {
            flushAndTell(List.of(call));
        } else {
            freeLanes.release();
            callWorker();
        }
    }

    /** Has a worker look, if there is something to do and a lane to do it in. */
    private void callWorker() {
        if (waiting.isEmpty() || freeLanes.availablePermits() == 0) {
            return;
        }
        // Never counts one too many, not even for a moment: others would take it for a worker who is about to look.
        int called = calledWorkers.get();
        while (called < limits.lanes() && !calledWorkers.compareAndSet(called, called + 1)) {
            called = calledWorkers.get();
        }
        if (called >= limits.lanes()) {
            return;
        }
        try {
            workers.execute(this::work);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Closing flushes what waits; the next call looks for a worker again when there was no memory for its
            // thread.
            calledWorkers.decrementAndGet();
        }
    }

    private void work() {
        calledWorkers.decrementAndGet();
        while (!waiting.isEmpty() && freeLanes.tryAcquire()) {
            flushAndTell(nextBatch());
        }
    }

    private List<BatchCall<Q, A>> nextBatch() {
        List<BatchCall<Q, A>> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < limits.calls()) {
            BatchCall<Q, A> next = waiting.peek();
            if (next == null || (!batch.isEmpty() && bytes + next.bytes() > limits.bytes())) {
                break;
            }
            // Another lane may have taken it since.
            if (take(next)) {
                batch.add(next);
                bytes += next.bytes();
            }
        }
        return batch;
    }

    /** With a lane in hand, which it gives back. */
    private void flushAndTell(List<BatchCall<Q, A>> batch) {
        List<BatchCall<Q, A>> unreachable = List.of();
        try {
            if (!batch.isEmpty()) {
                answer(batch, MOST_DIVISIONS);
            }
        } catch (UnreachableException e) {
            batch.forEach(call -> call.fail(e));
            unreachable = everybody(e);
        } finally {
            freeLanes.release();
            callWorker();
        }
        batch.forEach(BatchCall::tell);
        unreachable.forEach(BatchCall::tell);
    }

    /** Divides at most so often; returns how often it still may. */
    private int answer(List<BatchCall<Q, A>> batch, int divisions) {
        try {
            flush.flush(batch);
        } catch (UndoneException e) {
            List<BatchCall<Q, A>> open =
                    batch.stream().filter(BatchCall::isOpen).toList();
            int left = Math.max(0, divisions - 1);
            if (open.size() > 1 && divisions > 0) {
                for (List<BatchCall<Q, A>> part : parts(open)) {
                    left = answer(part, left);
                }
            } else {
                open.forEach(call -> call.fail(e));
            }
            return left;
        } catch (UnreachableException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            batch.forEach(call -> call.fail(e));
        }
        return divisions;
    }

    private static <T> List<List<T>> parts(List<T> whole) {
        int size = (whole.size() + PARTS - 1) / PARTS;
        List<List<T>> parts = new ArrayList<>();
        for (int start = 0; start < whole.size(); start += size) {
            parts.add(whole.subList(start, Math.min(whole.size(), start + size)));
        }
        return parts;
    }

    /** All who wait at this moment, with this fault noted. */
    private List<BatchCall<Q, A>> everybody(UnreachableException fault) {
        List<BatchCall<Q, A>> everybody = new ArrayList<>();
        for (BatchCall<Q, A> call : List.copyOf(waiting)) {
            if (take(call)) {
                call.fail(fault);
                everybody.add(call);
            }
        }
        return everybody;
    }

    private static StoreException closedFault() {
        return new StoreException("the store is closed");
    }

    @Override
    public void close() {
        closed = true;
        try {
            while (!waiting.isEmpty() && freeLanes.tryAcquire(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                flushAndTell(nextBatch());
            }
            if (freeLanes.tryAcquire(limits.lanes(), CLOSING_SECONDS, TimeUnit.SECONDS)) {
                freeLanes.release(limits.lanes());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        everybody(new UnreachableException("the store is closed", new IllegalStateException()))
                .forEach(BatchCall::tell);
    }
}
