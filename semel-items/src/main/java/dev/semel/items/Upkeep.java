package dev.semel.items;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.items.ItemIndex.Candidates;
import dev.semel.items.ItemTable.Found;
import dev.semel.items.Writes.Decision;
import dev.semel.items.Writes.Step;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.Changes;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The verbs about many records. Each finds candidates, in the index of open records or by a scan, reads them consistently, and
 * changes each by a conditional write; a candidate that another process was faster to change is decided on again.
 */
final class Upkeep {

    /** How many candidates are read and changed at once. */
    private static final int TOGETHER = 50;

    private final ItemTable table;
    private final ItemIndex index;
    private final Writes writes;

    Upkeep(ItemTable table, ItemIndex index, Writes writes) {
        this.table = table;
        this.index = index;
        this.writes = writes;
    }

    private static void requireLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit is " + limit + ", it must not be negative");
        }
    }

    List<StoredRecord> sweep(int limit) {
        requireLimit(limit);
        return take(index.expired(limit), limit, (current, at) -> {
            if (current == null) {
                return Step.only(Optional.empty());
            }
            return switch (Transitions.onSweep(current)) {
                case GIVE_UP -> swept(Changes.givenUp(current), Change.GIVEN_UP);
                case REOFFER -> swept(Changes.reoffered(current), Change.REOFFERED);
                case LEAVE -> Step.only(Optional.empty());
            };
        });
    }

    private static Step<Optional<StoredRecord>> swept(StoredRecord after, Change change) {
        return new Step<>(Optional.of(after), after, new Note(change, AuditEntry.SWEEPER, after.reason()));
    }

    List<StoredRecord> due(String operation, int limit, Duration hold) {
        requireLimit(limit);
        return take(index.due(operation), limit, (current, at) -> {
            if (current == null
                    || current.reconciling() == null
                    || !current.operation().equals(operation)
                    || !Transitions.isDue(current)) {
                return Step.only(Optional.empty());
            }
            StoredRecord taken = Changes.taken(current, current.reconciling(), hold);
            return new Step<>(Optional.of(taken), taken, null);
        });
    }

    private List<StoredRecord> take(Candidates open, int limit, Decision<Optional<StoredRecord>> decision) {
        List<StoredRecord> taken = new ArrayList<>();
        while (taken.size() < limit) {
            List<Identity> keys = open.next(Math.min(TOGETHER, limit - taken.size()));
            if (keys.isEmpty()) {
                break;
            }
            List<CompletableFuture<Optional<StoredRecord>>> changes = Futures.await(table.getAll(keys)).stream()
                    .map(found -> writes.on(identityOf(found), found, decision))
                    .toList();
            changes.forEach(change -> Futures.await(change).ifPresent(taken::add));
        }
        return taken;
    }

    private static Identity identityOf(Found found) {
        return Objects.requireNonNull(found.item()).identity();
    }

    List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        requireLimit(limit);
        List<Identity> identities = limit == 0
                ? List.of()
                : index.unknown(filter.operation()).stream()
                        .filter(identity ->
                                filter.after() == null || filter.after().compareTo(identity) < 0)
                        .sorted()
                        .toList();
        List<StoredRecord> listed = new ArrayList<>();
        for (int from = 0; from < identities.size() && listed.size() < limit; from += TOGETHER) {
            List<Identity> some = identities.subList(from, Math.min(from + TOGETHER, identities.size()));
            records(some).stream()
                    .filter(filter::accepts)
                    .limit(limit - listed.size())
                    .forEach(listed::add);
        }
        return listed;
    }

    private List<StoredRecord> records(List<Identity> identities) {
        return Futures.await(table.getAll(identities)).stream()
                .map(found -> Objects.requireNonNull(found.item()).asOf(found.at()))
                .filter(Objects::nonNull)
                .toList();
    }

    List<Identity> sample(int limit) {
        requireLimit(limit);
        return limit == 0 ? List.of() : index.sample(limit);
    }

    RecordSearch.Page search(RecordSearch search) {
        boolean unknownAlone = search.filter().states().equals(Set.of(State.UNKNOWN))
                || Boolean.TRUE.equals(search.filter().deadLettered());
        return unknownAlone ? searchUnknown(search) : searchAll(search);
    }

    private RecordSearch.Page searchUnknown(RecordSearch search) {
        List<Identity> all = index.unknown(search.filter().operation());
        List<Identity> examined = all.subList(0, Math.min(all.size(), RecordSearch.MAX_EXAMINED));
        List<StoredRecord> records =
                records(examined).stream().map(StoredRecord::summary).toList();
        return RecordSearch.Page.of(search, records, examined.size(), examined.size() == all.size(), index.name());
    }

    private RecordSearch.Page searchAll(RecordSearch search) {
        List<StoredRecord> records = new ArrayList<>();
        Instant now = table.now();
        ItemIndex.Extent extent = index.summaries(RecordSearch.MAX_EXAMINED, item -> {
            StoredRecord record = item.asOf(now);
            if (record != null) {
                records.add(record.summary());
            }
        });
        return RecordSearch.Page.of(search, records, extent.examined(), extent.complete(), "scan");
    }

    int prune(int limit, Expiry expiry) {
        requireLimit(limit);
        if (limit == 0) {
            return 0;
        }
        List<Identity> keys = index.prunable(table.now(), expiry, RecordSearch.MAX_EXAMINED);
        int pruned = 0;
        int from = 0;
        while (from < keys.size() && pruned < limit) {
            int until = Math.min(from + Math.min(TOGETHER, limit - pruned), keys.size());
            pruned += prune(keys.subList(from, until), expiry);
            from = until;
        }
        return pruned;
    }

    private int prune(List<Identity> keys, Expiry expiry) {
        List<CompletableFuture<Boolean>> changes = Futures.await(table.getAll(keys)).stream()
                .map(found -> prune(found, expiry))
                .toList();
        return (int) changes.stream().filter(Futures::await).count();
    }

    /** Changes what it has read and nothing else: what was claimed anew meanwhile is left alone. */
    private CompletableFuture<Boolean> prune(Found found, Expiry expiry) {
        Item item = Objects.requireNonNull(found.item());
        StoredRecord stored = item.record();
        StoredRecord record = item.asOf(found.at());
        if (stored == null || record == null || record.state() != State.EXPIRED) {
            return CompletableFuture.completedFuture(false);
        }
        if (expiry == Expiry.DELETE) {
            return writes.delete(item, found.at());
        }
        return stored.state() == State.EXPIRED
                ? CompletableFuture.completedFuture(false)
                : writes.replace(
                        item, Changes.markedExpired(record), new Note(Change.EXPIRED, AuditEntry.PRUNING, null));
    }
}
