package dev.semel.engine;

import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import java.time.Duration;

/** Prunes records past their retention, in batches: on demand, and on a schedule. */
final class Pruning {

    /** Small enough that one batch holds no lock that a request would notice. */
    private static final int BATCH = 500;

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Context context;
    private volatile Timer.Cancellable next = () -> {};

    Pruning(Context context) {
        this.context = context;
    }

    /** Prunes until nothing is left, and returns how many records were removed or marked. */
    long prune(Expiry expiry) {
        long all = 0;
        int batch;
        do {
            batch = pruneBatch(expiry);
            all += batch;
            context.listeners().tell(new Event.Pruned(batch, expiry));
        } while (batch == BATCH && !context.isClosed());
        return all;
    }

    private int pruneBatch(Expiry expiry) {
        try {
            return Faults.answered(() -> context.store().prune(BATCH, expiry));
        } catch (StoreException fault) {
            context.listeners().tell(new Event.BatchFault("prune", fault));
            throw fault;
        }
    }

    void schedule(Duration interval, Expiry expiry) {
        next = context.timer().after(interval, () -> {
            try {
                prune(expiry);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.WARNING, "pruning failed and is tried again in " + interval, e);
            }
            if (!context.isClosed()) {
                schedule(interval, expiry);
            }
        });
    }

    void stop() {
        next.cancel();
    }
}
