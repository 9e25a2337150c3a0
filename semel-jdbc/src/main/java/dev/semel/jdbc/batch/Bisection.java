package dev.semel.jdbc.batch;

import java.util.List;
import java.util.function.Consumer;

/**
 * Flushes a batch. One of which nothing was written, where a single call may be the cause, is divided and flushed in parts; any
 * other fault is that of every call in it that has no answer yet.
 */
final class Bisection<C extends BatchCall<?, ?>> {

    /** A bad call among 512 is alone after three divisions, and most of the others have their answers after one. */
    private static final int PARTS = 8;

    /** Enough for a handful of bad calls; where every call fails, the batch ends instead of going on call by call. */
    private static final int MOST_DIVISIONS = 16;

    private final Consumer<List<C>> flush;

    Bisection(Consumer<List<C>> flush) {
        this.flush = flush;
    }

    /** @throws UnreachableException when there is no connection; calls that have an answer by then keep it */
    void flush(List<C> batch) {
        flush(batch, MOST_DIVISIONS);
    }

    /** Returns how many divisions are left. */
    private int flush(List<C> batch, int divisions) {
        try {
            flush.accept(batch);
            return divisions;
        } catch (UndoneException e) {
            List<C> open = batch.stream().filter(BatchCall::isOpen).toList();
            if (open.size() > 1 && divisions > 0) {
                return flushParts(open, divisions - 1);
            }
            open.forEach(call -> call.fail(e));
            return Math.max(0, divisions - 1);
        } catch (UnreachableException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            batch.forEach(call -> call.fail(e));
            return divisions;
        }
    }

    private int flushParts(List<C> batch, int divisions) {
        int size = (batch.size() + PARTS - 1) / PARTS;
        int left = divisions;
        for (int start = 0; start < batch.size(); start += size) {
            left = flush(batch.subList(start, Math.min(batch.size(), start + size)), left);
        }
        return left;
    }
}
