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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls that share round trips and commits: whatever arrives while every lane is busy forms the next batch.
 *
 * <ol>
 *   <li>A call waits in a queue, which is bounded: past that, it fails at once.
 *   <li>A lane that is free takes what waits, in the order of arrival, and flushes it: an idle lane
 *       takes a single call, busy ones let batches grow.
 *   <li>Few calls use more lanes than many: apart from each other they wait for nobody. Many are faster in few lanes, where
 *       batches are large: they divide themselves evenly among those, and while others are on their way, a crumb waits for
 *       them instead of going alone; but not for long, should they be held up. Nobody else waits for a timer.
 *   <li>A caller who blocks while nobody else waits takes a free lane and flushes its own call, and no thread is woken for
 *       it: while a call waits alone, a worker is called only when its caller turns out not to block. One who does neither is
 *       looked after when patience is over.
 *   <li>After a small batch the lane is free again before anybody is told an answer. After a large one it waits until all are
 *       told, since most of them come back at once, and belong into one batch; but not for callers' code that blocks:
 *       somebody stands by to take the lane over.
 *   <li>A batch of which nothing was written, where one call may be to blame, is divided and its parts are tried again.
 *       Every other fault is told to those calls of the batch that have no answer yet.
 *   <li>When there is no connection, those who wait are told at once instead of waiting for it one after the other.
 *   <li>A thread may gather what it asks, and has it flushed in batches of its own.
 *   <li>Closing refuses new calls and flushes those that wait.
 * </ol>
 */
final class Batcher<Q, A> implements AutoCloseable {

    /** A batch with one bad call is in its parts after three divisions, and most of its other calls after one. */
    private static final int PARTS = 8;

    /** Enough for a handful of bad calls; where everything fails, the batch ends instead of trying call by call. */
    private static final int MOST_DIVISIONS = 16;

    /**
     * Longer than a flight usually takes. What takes longer waits for somebody, such as a transaction of the application's
     * that holds a record; that is no reason for others to wait with it.
     */
    private static final long PATIENCE_MILLIS = 20;

    /** Longer than any statement may take. */
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Asks the store. It notes an answer on every call, or throws; calls that have an answer by then keep it. */
    interface Flush<Q, A> {
        void flush(List<BatchCall<Q, A>> calls);
    }

    private final BatchLimits limits;
    private final Executor workers;
    private final Executor later;
    private final Flush<Q, A> flush;
    private final Queue<BatchCall<Q, A>> waiting = new ConcurrentLinkedQueue<>();
    private final Crowd crowd;
    private final AtomicInteger calledWorkers = new AtomicInteger();
    private final AtomicInteger busyLanes = new AtomicInteger();
    private final AtomicBoolean lookingLater = new AtomicBoolean();
    private final Gathering<Q, A> gathering = new Gathering<>(this::flushGathered);
    private final ReentrantLock closing = new ReentrantLock();
    private final Condition laneFreed = closing.newCondition();

    private volatile boolean closed;

    Batcher(BatchLimits limits, Executor workers, Flush<Q, A> flush) {
        this(
                limits,
                workers,
                CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run),
                flush);
    }

    /** @param later executes what it is given when a crumb has waited long enough; that only calls a worker */
    Batcher(BatchLimits limits, Executor workers, Executor later, Flush<Q, A> flush) {
        this.limits = limits;
        this.crowd = new Crowd(limits);
        this.workers = workers;
        this.later = later;
        this.flush = flush;
    }

    /** Asks, together with whoever else does. */
    CompletionStage<A> submit(Q question, long bytes) {
        if (closed) {
            return CompletableFuture.failedFuture(closedFault());
        }
        BatchCall<Q, A> call = new BatchCall<>(this, question, bytes);
        if (!crowd.admit(bytes)) {
            return CompletableFuture.failedFuture(
                    new StoreException("too many requests wait for the store; come back later"));
        }
        if (gathering.hold(call)) {
            return call;
        }
        boolean alone = crowd.waiting() == 1;
        if (alone) {
            call.rest();
        }
        waiting.add(call);
        if (closed && take(call)) {
            crowd.land(1);
            return CompletableFuture.failedFuture(closedFault());
        }
        if (alone) {
            lookLater();
        } else {
            callWorker();
        }
        return call;
    }

    /** Holds back what the calling thread asks, until the task has returned. */
    void together(Runnable task) {
        gathering.during(task);
    }

    /** On the thread that has gathered these, beside the lanes: it has waited long enough, and they are a batch by themselves. */
    private void flushGathered(List<BatchCall<Q, A>> calls) {
        for (int from = 0; from < calls.size(); ) {
            int to = endOfBatch(calls, from);
            List<BatchCall<Q, A>> batch = calls.subList(from, to);
            batch.forEach(call -> crowd.depart(call.bytes()));
            List<BatchCall<Q, A>> told = flushed(batch);
            crowd.land(told.size());
            told.forEach(BatchCall::tell);
            from = to;
        }
    }

    private int endOfBatch(List<BatchCall<Q, A>> calls, int from) {
        int most = Math.min(calls.size(), from + limits.calls());
        int to = from;
        long bytes = 0;
        do {
            bytes += calls.get(to).bytes() + crowd.expectedAnswer();
            to++;
        } while (to < most && bytes + calls.get(to).bytes() + crowd.expectedAnswer() <= limits.bytes());
        return to;
    }

    private boolean take(BatchCall<Q, A> call) {
        if (!waiting.remove(call)) {
            return false;
        }
        crowd.depart(call.bytes());
        return true;
    }

    /**
     * Flushes this call on the thread of the caller who waits for it, if nobody else waits and a lane is free. Not on a
     * thread that is interrupted: whatever waits there gives up, and the call would fail for no fault of the store.
     */
    void help(BatchCall<Q, A> call) {
        if (crowd.waiting() != 1 || Thread.currentThread().isInterrupted() || !takeLane()) {
            call.rouse();
            return;
        }
        if (take(call)) {
            flushAndTell(List.of(call));
        } else {
            freeLane();
        }
    }

    private boolean takeLane() {
        for (int busy = busyLanes.get(); crowd.hasLane(busy); busy = busyLanes.get()) {
            if (busyLanes.compareAndSet(busy, busy + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Whoever was refused a lane before this has his call looked after here. */
    private void freeLane() {
        busyLanes.decrementAndGet();
        callWorker();
        if (closed) {
            closing.lock();
            try {
                laneFreed.signalAll();
            } finally {
                closing.unlock();
            }
        }
    }

    /** Has a worker look, if there is something to do and a lane to do it in. */
    void callWorker() {
        if (waiting.isEmpty()) {
            return;
        }
        int busy = busyLanes.get();
        if (!crowd.hasLane(busy)) {
            if (busy < limits.lanes()) {
                lookLater();
            }
            return;
        }
        // Never counts one too many, not even for a moment: others would take it for a worker who is about to look.
        int called = calledWorkers.get();
        while (called < limits.lanesForFew() && !calledWorkers.compareAndSet(called, called + 1)) {
            called = calledWorkers.get();
        }
        if (called >= limits.lanesForFew()) {
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

    /** A crumb waits for those on their way, but not for ever: if it is still the same one then, it goes alone. */
    private void lookLater() {
        if (!lookingLater.compareAndSet(false, true)) {
            return;
        }
        BatchCall<Q, A> oldest = waiting.peek();
        later.execute(() -> {
            // First of all: whatever goes wrong below, the next call is looked after.
            lookingLater.set(false);
            if (waiting.isEmpty()) {
                return;
            }
            try {
                workers.execute(() -> look(oldest));
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                // Closing flushes what waits, and otherwise the next call looks again.
            }
        });
    }

    private void look(@Nullable BatchCall<Q, A> oldest) {
        if (oldest != null && oldest == waiting.peek() && takeAnyLane()) {
            serve();
        } else {
            callWorker();
        }
    }

    private boolean takeAnyLane() {
        for (int busy = busyLanes.get(); busy < limits.lanes(); busy = busyLanes.get()) {
            if (busyLanes.compareAndSet(busy, busy + 1)) {
                return true;
            }
        }
        return false;
    }

    private void work() {
        calledWorkers.decrementAndGet();
        while (!waiting.isEmpty() && takeLane()) {
            serve();
        }
    }

    /** With a lane in hand: until hardly anybody waits, or somebody else has it. */
    private void serve() {
        List<BatchCall<Q, A>> batch = nextBatch();
        while (batch.size() > limits.few()) {
            List<BatchCall<Q, A>> told = flushed(batch);
            Shift shift = new Shift(Thread.currentThread(), told.size());
            if (!relief(shift)) {
                crowd.land(told.size());
                freeLane();
                told.forEach(BatchCall::tell);
                return;
            }
            told.forEach(BatchCall::tell);
            if (!shift.end()) {
                return;
            }
            crowd.land(told.size());
            if (!crowd.hasLane(busyLanes.get() - 1)) {
                freeLane();
                return;
            }
            batch = nextBatch();
        }
        flushAndTell(batch);
    }

    /** Has somebody stand by who takes the lane if the one who tells is held up. */
    private boolean relief(Shift shift) {
        try {
            workers.execute(() -> {
                if (shift.takeOver()) {
                    crowd.land(shift.calls());
                    serve();
                }
            });
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    /** What a lane's share of those who wait is; the rest is another lane's, for which a worker is called. */
    private List<BatchCall<Q, A>> nextBatch() {
        int most = crowd.share();
        List<BatchCall<Q, A>> batch = new ArrayList<>(most);
        long bytes = 0;
        while (batch.size() < most) {
            BatchCall<Q, A> next = waiting.peek();
            if (next == null || (!batch.isEmpty() && bytes + next.bytes() + crowd.expectedAnswer() > limits.bytes())) {
                break;
            }
            // Another lane may have taken it since.
            if (take(next)) {
                batch.add(next);
                bytes += next.bytes() + crowd.expectedAnswer();
            }
        }
        callWorker();
        return batch;
    }

    /** With a lane in hand, which it gives back. */
    private void flushAndTell(List<BatchCall<Q, A>> batch) {
        List<BatchCall<Q, A>> told = flushed(batch);
        crowd.land(told.size());
        freeLane();
        told.forEach(BatchCall::tell);
    }

    /** Flushes; returns those who can be told now. */
    private List<BatchCall<Q, A>> flushed(List<BatchCall<Q, A>> batch) {
        crowd.flies(batch.size());
        try {
            if (!batch.isEmpty()) {
                answer(batch, MOST_DIVISIONS);
                crowd.brought(batch.stream().mapToLong(BatchCall::answerBytes).sum(), batch.size());
            }
            return batch;
        } catch (UnreachableException e) {
            List<BatchCall<Q, A>> all = new ArrayList<>(batch);
            all.forEach(call -> call.fail(e));
            all.addAll(everybody(e));
            return all;
        }
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
            long left = CLOSING_NANOS;
            while (left > 0 && (!waiting.isEmpty() || busyLanes.get() > 0)) {
                if (!waiting.isEmpty() && takeLane()) {
                    flushAndTell(nextBatch());
                } else {
                    left = awaitFreeLane(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<BatchCall<Q, A>> left =
                everybody(new UnreachableException("the store is closed", new IllegalStateException()));
        crowd.land(left.size());
        left.forEach(BatchCall::tell);
    }

    /** Returns how much patience is left; the caller looks again. */
    @SuppressWarnings("WaitNotInLoop")
    private long awaitFreeLane(long nanos) throws InterruptedException {
        closing.lock();
        try {
            return busyLanes.get() > 0 ? laneFreed.awaitNanos(nanos) : nanos;
        } finally {
            closing.unlock();
        }
    }
}
