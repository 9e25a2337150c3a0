package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.StoredRecord;
import dev.semel.testkit.history.AuditEvent.Changed;
import dev.semel.testkit.history.AuditEvent.Read;
import dev.semel.testkit.history.AuditEvent.Standing;
import dev.semel.testkit.history.HistoryEvent;
import dev.semel.torture.app.PaymentService;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/** Copies what a store says about records into the log of the audit. */
public final class Collector {

    private final Store store;
    private final Consumer<HistoryEvent> log;

    public Collector(Store store, Consumer<HistoryEvent> log) {
        this.store = store;
        this.log = log;
    }

    /**
     * Reads the records.
     *
     * @param moment why: {@link Read#SETTLING} or {@link Read#END}
     * @return how many of them are still in progress or unknown
     */
    public int read(String moment, Collection<Identity> identities) {
        int open = 0;
        for (Identity identity : identities) {
            StoredRecord record =
                    store.find(identity).toCompletableFuture().join().orElse(null);
            if (record != null) {
                open += isOpen(record) ? 1 : 0;
                log.accept(read(moment, record));
            }
        }
        return open;
    }

    /** Counts the records that are still in progress or unknown, without writing anything. */
    public int open(Collection<Identity> identities) {
        int open = 0;
        for (Identity identity : identities) {
            open += store.find(identity)
                    .toCompletableFuture()
                    .join()
                    .filter(Collector::isOpen)
                    .map(record -> 1)
                    .orElse(0);
        }
        return open;
    }

    private static boolean isOpen(StoredRecord record) {
        return record.state() == State.IN_PROGRESS || record.state() == State.UNKNOWN;
    }

    private static Read read(String moment, StoredRecord record) {
        return new Read(
                record.times().asOf(),
                moment,
                record.identity(),
                new Standing(record.state(), record.fence()),
                overdue(record),
                PaymentService.meaning(record.fingerprint()));
    }

    private static Duration overdue(StoredRecord record) {
        StoredRecord.Times times = record.times();
        return times.lockedUntil() == null || times.lockedUntil().isAfter(times.asOf())
                ? Duration.ZERO
                : Duration.between(times.lockedUntil(), times.asOf());
    }

    /** Copies the audits. */
    public void audit(Collection<Identity> identities) {
        for (Identity identity : identities) {
            for (AuditEntry entry : store.history(identity)) {
                log.accept(new Changed(
                        entry.at(),
                        identity,
                        entry.number(),
                        entry.change().label(),
                        entry.from(),
                        new Standing(entry.to(), entry.fence()),
                        entry.who(),
                        entry.why()));
            }
        }
    }
}
