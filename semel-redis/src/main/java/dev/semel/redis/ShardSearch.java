package dev.semel.redis;

import dev.semel.State;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A search in the indexes that the store has for its own work: no index costs requests anything. None of them is ordered by
 * claims, so the search reads each from its end, up to a limit, and sorts what it found. Among more settled records than the
 * limit, it sees those whose retention ends last.
 */
final class ShardSearch {

    /** Redis runs one script at a time: this many records block it for a few milliseconds. */
    private static final int PORTION = 500;

    private static final int LEAST_BUDGET = 10;

    /** A portion of an index: how many entries were read, and their records. */
    record Portion(int read, List<StoredRecord> records) {}

    /** Reads a portion of an index of a shard, from its end. */
    interface Reading {
        CompletionStage<Portion> read(int shard, String index, int skip, int most);
    }

    private final Reading reading;
    private final int shards;

    ShardSearch(Reading reading, int shards) {
        this.reading = reading;
        this.shards = shards;
    }

    /** How many entries to read of each index of each shard. */
    private int budget(int indexes) {
        return Math.max(LEAST_BUDGET, RecordSearch.MAX_EXAMINED / (shards * indexes));
    }

    /** The pages of all indexes, each as far as its budget goes. */
    List<CompletionStage<Portion>> start(List<String> indexes) {
        int budget = budget(indexes.size());
        List<CompletionStage<Portion>> all = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            for (String index : indexes) {
                all.add(read(shard, index, 0, budget));
            }
        }
        return all;
    }

    private CompletionStage<Portion> read(int shard, String index, int skip, int budget) {
        int most = Math.min(PORTION, budget);
        return reading.read(shard, index, skip, most).thenCompose(portion -> {
            if (portion.read() < most || most == budget) {
                return CompletableFuture.completedFuture(portion);
            }
            return read(shard, index, skip + most, budget - most).thenApply(more -> joined(portion, more));
        });
    }

    private static Portion joined(Portion first, Portion second) {
        List<StoredRecord> records = new ArrayList<>(first.records());
        records.addAll(second.records());
        return new Portion(first.read() + second.read(), records);
    }

    RecordSearch.Page page(RecordSearch search, List<String> indexes, List<Portion> portions) {
        int budget = budget(indexes.size());
        int examined = portions.stream().mapToInt(Portion::read).sum();
        boolean all = portions.stream().allMatch(portion -> portion.read() < budget);
        List<StoredRecord> records =
                portions.stream().flatMap(portion -> portion.records().stream()).toList();
        return RecordSearch.Page.of(search, records, examined, all, String.join(" ", indexes));
    }

    /** The indexes that have records of these states. */
    static List<String> indexes(RecordSearch.Filter filter) {
        Set<State> states = filter.states();
        List<String> indexes = new ArrayList<>();
        boolean any = states.isEmpty() && !Boolean.TRUE.equals(filter.deadLettered());
        if (any || states.contains(State.IN_PROGRESS)) {
            indexes.add(":leases");
            indexes.add(":offered");
        }
        if (any || states.contains(State.UNKNOWN) || Boolean.TRUE.equals(filter.deadLettered())) {
            indexes.add(":unknown");
        }
        boolean expired = any || states.contains(State.EXPIRED);
        if (expired || states.contains(State.COMPLETED) || states.contains(State.FAILED_RETRYABLE)) {
            indexes.add(":expiring");
        }
        if (expired) {
            indexes.add(":marked");
        }
        return indexes;
    }
}
