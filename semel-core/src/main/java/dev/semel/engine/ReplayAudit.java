package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent.Recorded;
import dev.semel.Intent.Replay;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Writes refused replays into the audits of their records.
 *
 * <ol>
 *   <li>In the background, by one thread: a refused caller waits for no write, and cannot keep more than one of the store's
 *       connections busy.
 *   <li>A client that repeats a forbidden request does not make the record grow without end: an attempt gets at most
 *       {@value #MOST_ENTRIES} entries, or a few more where several instances write at once. All are reported to listeners.
 *   <li>What does not fit into the queue, or fails, is missing from the audit; listeners got it.
 * </ol>
 */
final class ReplayAudit {

    /** Enough to see who asked and when it began; the metric has the number. */
    static final int MOST_ENTRIES = 10;

    /** The entry's author. */
    static final String SOURCE = "replay-check";

    private static final int MOST_WAITING = 1000;

    /** How many records with all their entries are remembered, so that they are not read again. */
    private static final int MOST_REMEMBERED = 1000;

    private static final long IDLE_SECONDS = 10;

    private final Context context;
    private final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task -> {
                Thread thread = new Thread(task, "semel-replay-audit");
                thread.setDaemon(true);
                return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());

    /** Records that have all their entries, with the fence of their attempt; used by the writing thread alone. */
    private final Map<Identity, Long> full = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Identity, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    ReplayAudit(Context context) {
        this.context = context;
        writer.allowCoreThreadTimeOut(true);
    }

    void refused(Replay replay) {
        writer.execute(() -> {
            try {
                write(replay);
            } catch (RuntimeException | Error e) {
                StoreException fault = Faults.ofStore(e);
                context.listeners()
                        .tell(new Event.StoreFault(replay.operation(), replay.identity(), "annotate", fault));
            }
        });
    }

    private void write(Replay replay) {
        Identity identity = replay.identity();
        Recorded recorded = replay.recorded();
        long fence = recorded == null ? completedFence(identity) : recorded.fence();
        Long known = full.get(identity);
        if (fence == 0 || (known != null && known == fence)) {
            return;
        }
        long entries = context.store().history(identity).stream()
                .filter(entry -> entry.change() == Change.REPLAY_REFUSED && entry.fence() == fence)
                .count();
        if (entries < MOST_ENTRIES) {
            String who = replay.principal() == null ? "anonymous" : replay.principal();
            context.store()
                    .annotate(
                            new Lease(identity, fence),
                            Change.REPLAY_REFUSED,
                            new Evidence(SOURCE, Evidence.abridged(who)));
        }
        if (entries + 1 >= MOST_ENTRIES) {
            full.put(identity, fence);
        }
    }

    /** The fence of a completed record; 0, which no attempt has, where there is none. */
    private long completedFence(Identity identity) {
        return context.store()
                .blocking()
                .find(identity)
                .filter(record -> record.state() == State.COMPLETED)
                .map(StoredRecord::fence)
                .orElse(0L);
    }

    /** Writes nothing more; what waits is dropped. */
    void close() {
        writer.shutdownNow();
    }
}
