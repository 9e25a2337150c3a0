package dev.semel.jdbc.batch;

import dev.semel.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link Batcher} that wait and that run, and the lanes in which they run: which calls are admitted, when a lane
 * is free for them, and how large a batch is. Its lock is held for moments; nothing runs under it.
 */
final class BatchLoad<C extends BatchCall<?, ?>> {

    /** While other batches run, half of a lane's even share is worth a batch of its own. */
    private static final int MIN_SHARE_DIVISOR = 2;

    /** To begin a statement of many rows costs as much as so many rows. */
    private static final int MIN_BATCH_ROWS = 16;

    /** A peak loses a quarter with every later batch: after a dozen it is forgotten. */
    private static final int DECAY = 4;

    private final BatchLimits limits;
    private final Queue<C> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private int running;
    private int busyLanes;
    private int startingWorkers;
    private int recentBatch;
    private long recentAnswerBytes;
    private @Nullable C fallback;
    private boolean closed;

    BatchLoad(BatchLimits limits) {
        this.limits = limits;
    }

    /** @throws StoreException when the store is closed, or too much waits already; one call may wait, however large */
    synchronized void add(C call) {
        if (closed) {
            throw new StoreException("the store is closed");
        }
        if (!waiting.isEmpty()
                && (waiting.size() >= limits.waitingCalls() || waitingBytes + call.bytes() > limits.waitingBytes())) {
            throw new StoreException("the store's queue is full (" + waiting.size() + " requests); retry later");
        }
        waiting.add(call);
        waitingBytes += call.bytes();
    }

    /**
     * Takes a lane for a single call that is not among those that wait. False when others do, when no lane is free, or when
     * the last calls shared a batch: their callers most likely ask again, and one statement for all is cheaper.
     */
    synchronized boolean startAlone() {
        boolean alone = !closed && waiting.isEmpty() && recentBatch <= 1 && hasLane();
        if (alone) {
            started(1);
        }
        return alone;
    }

    /** Takes a lane, and a batch for it; the batch is empty, and no lane taken, when no call waits or no lane is free. */
    synchronized List<C> start() {
        return hasLane() ? startBatch() : List.of();
    }

    /** The same for a worker that was {@link #needsWorker needed}. */
    synchronized List<C> startWorker() {
        startingWorkers--;
        return start();
    }

    /** The same for a fallback that was {@link #needsFallback needed}. A call that still is the oldest gets any free lane. */
    synchronized List<C> startFallback() {
        boolean waits = fallback != null && fallback == waiting.peek() && busyLanes < limits.lanes();
        fallback = null;
        return waits ? startBatch() : start();
    }

    /** Whether a lane is free for calls that wait: the first one always, others for few callers, or for many calls. */
    private boolean hasLane() {
        if (busyLanes == 0) {
            return true;
        }
        if (callers() <= limits.few()) {
            return busyLanes < limits.lanesForFew();
        }
        return busyLanes < limits.lanes()
                && waiting.size() >= MIN_BATCH_ROWS
                && waiting.size() * MIN_SHARE_DIVISOR * limits.lanes() >= callers();
    }

    /** About how many callers there are: those that were just answered most likely ask again soon. */
    private int callers() {
        return Math.max(waiting.size() + running, recentBatch);
    }

    /** The lane's even share of all calls, if that is worth a statement. */
    private List<C> startBatch() {
        int share = (callers() + limits.lanes() - 1) / limits.lanes();
        List<C> batch = take(waiting, Math.min(limits.calls(), Math.max(share, MIN_BATCH_ROWS)));
        batch.forEach(call -> waitingBytes -= call.bytes());
        if (!batch.isEmpty()) {
            started(batch.size());
        }
        return batch;
    }

    private void started(int calls) {
        busyLanes++;
        running += calls;
        recentBatch = Math.max(calls, recentBatch - recentBatch / DECAY - 1);
    }

    /** Releases the lane in which so many calls ran. */
    synchronized void finished(int calls) {
        busyLanes--;
        running -= calls;
    }

    /** Takes a batch from calls that a thread has gathered. */
    synchronized List<C> take(Queue<C> gathered) {
        return take(gathered, limits.calls());
    }

    private List<C> take(Queue<C> calls, int most) {
        List<C> batch = new ArrayList<>();
        long bytes = 0;
        while (!calls.isEmpty() && batch.size() < most) {
            bytes += calls.element().bytes() + recentAnswerBytes;
            if (!batch.isEmpty() && bytes > limits.bytes()) {
                break;
            }
            batch.add(calls.remove());
        }
        return batch;
    }

    /** Takes all calls that wait, without a lane. */
    synchronized List<C> takeAll() {
        List<C> all = new ArrayList<>(waiting);
        waiting.clear();
        waitingBytes = 0;
        return all;
    }

    /** Notes the size of answers, by their average: a few large ones among many must not make batches small. */
    synchronized void answered(List<C> batch) {
        long average = batch.stream().mapToLong(BatchCall::answerBytes).sum() / batch.size();
        recentAnswerBytes = Math.max(average, recentAnswerBytes - recentAnswerBytes / DECAY);
    }

    /** Whether a worker has to be started for calls that wait. One that is starting already will find them. */
    synchronized boolean needsWorker() {
        boolean needed = !waiting.isEmpty() && hasLane() && startingWorkers < limits.lanesForFew();
        startingWorkers += needed ? 1 : 0;
        return needed;
    }

    synchronized void workerFailed() {
        startingWorkers--;
    }

    /** Whether a fallback has to be scheduled for the oldest call: a lane is free, and no worker is going to use it. */
    synchronized boolean needsFallback() {
        boolean needed = fallback == null && startingWorkers == 0 && busyLanes < limits.lanes() && !waiting.isEmpty();
        fallback = needed ? waiting.peek() : fallback;
        return needed;
    }

    synchronized void fallbackFailed() {
        fallback = null;
    }

    synchronized void close() {
        closed = true;
    }

    synchronized boolean isIdle() {
        return waiting.isEmpty() && busyLanes == 0;
    }
}
