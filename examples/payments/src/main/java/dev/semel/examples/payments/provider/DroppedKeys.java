package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The keys whose first request was dropped. Each is on disk before it is dropped, so that a restart drops none again. */
final class DroppedKeys implements AutoCloseable {

    private final JsonMapper json = JsonMapper.shared();
    private final Set<String> keys = new HashSet<>();
    private final Journal journal;

    private DroppedKeys(Journal journal) {
        this.journal = journal;
    }

    /** @param directory of the ledger, which exists */
    static DroppedKeys open(Path directory) throws IOException {
        DroppedKeys dropped = new DroppedKeys(Journal.open(directory.resolve("dropped.jsonl")));
        try {
            dropped.recover();
            return dropped;
        } catch (JacksonException e) {
            dropped.close();
            throw new IOException("the dropped keys in " + directory + " are damaged: " + e.getOriginalMessage(), e);
        }
    }

    private void recover() {
        for (String line : journal.recovered()) {
            keys.add(json.readValue(line, String.class));
        }
    }

    /** Whether this request is the first of its key, and is dropped. */
    synchronized boolean drop(String key) throws IOException {
        if (keys.contains(key)) {
            return false;
        }
        journal.append(json.writeValueAsString(key));
        return keys.add(key);
    }

    @Override
    public synchronized void close() throws IOException {
        journal.close();
    }
}
