package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.StoreException;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.util.Optional;
import java.util.function.Supplier;

/** The engine's side of what operators do with records; a fault of the store is reported to listeners. */
final class OperatorRecords implements Records {

    private final Context context;
    private final Store store;

    OperatorRecords(Context context) {
        this.context = context;
        this.store = context.store();
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        RecordSearch.Page page = asked("search", () -> store.search(search));
        return page.records().stream().noneMatch(OperatorRecords::isSecret) ? page : withoutSecret(page);
    }

    private static boolean isSecret(StoredRecord record) {
        return record.identity().equals(ExplanationSecret.IDENTITY);
    }

    private static RecordSearch.Page withoutSecret(RecordSearch.Page page) {
        return new RecordSearch.Page(
                page.records().stream().filter(record -> !isSecret(record)).toList(),
                page.next(),
                page.examined(),
                page.complete(),
                page.plan());
    }

    @Override
    public Optional<StoredRecord> find(Identity identity) {
        return asked("find", () -> context.find(identity));
    }

    @Override
    public Change viewed(Lease lease, Evidence who) {
        return change(asked("annotate", () -> store.annotate(lease, AuditEntry.Change.VIEWED, who)));
    }

    @Override
    public Change proposed(Lease lease, Evidence proposal) {
        return change(asked("annotate", () -> store.annotate(lease, AuditEntry.Change.PROPOSED, proposal)));
    }

    /** Memory is cleared after the store: a request in between finds the record expired, and keeps nothing. */
    @Override
    public Change forget(Lease lease, Evidence why) {
        SettleAnswer answer = asked("forget", () -> store.forget(lease, why));
        context.near().forget(lease.identity());
        return change(answer);
    }

    private static Change change(SettleAnswer answer) {
        if (answer instanceof SettleAnswer.Refused refused) {
            return refused.current().<Change>map(Change.Refused::new).orElseGet(Change.NoSuchRecord::new);
        }
        return new Change.Done();
    }

    private <T> T asked(String verb, Supplier<T> question) {
        try {
            return Faults.answered(question);
        } catch (StoreException fault) {
            context.listeners().tell(new Event.BatchFault(verb, fault));
            throw fault;
        }
    }
}
