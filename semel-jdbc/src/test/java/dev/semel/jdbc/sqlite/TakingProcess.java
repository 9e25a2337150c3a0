package dev.semel.jdbc.sqlite;

import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.testing.ChildProcess;
import dev.semel.reconcile.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that takes batches of records until there are no more, and prints their keys. */
final class TakingProcess {

    /** Small, so that several takers get their turns while there is something to take. */
    private static final int BATCH = 50;

    private TakingProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (Store store = Stores.open(arguments[0])) {
            ChildProcess.serve(() -> takeAll(store, arguments[1]).forEach(System.out::println));
        }
    }

    /** The keys of what the verb {@code sweep} or {@code due} gives, batch by batch, until it gives nothing. */
    static List<String> takeAll(Store store, String verb) {
        List<String> keys = new ArrayList<>();
        for (List<StoredRecord> batch = take(store, verb); !batch.isEmpty(); batch = take(store, verb)) {
            batch.forEach(record -> keys.add(record.identity().key().value()));
        }
        return keys;
    }

    private static List<StoredRecord> take(Store store, String verb) {
        return verb.equals("sweep") ? store.sweep(BATCH) : store.due("create-payment", BATCH, Duration.ofHours(1));
    }
}
