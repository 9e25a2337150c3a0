package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The provider's ledger: at most one entry per key, on disk before it is answered or announced.
 *
 * <p>Charges are the lines of {@code ledger.jsonl}, so that tests can count them in the file. Declines move no money; they are
 * stored in {@code declines.jsonl}, so that a repeated key gets the same answer.
 */
final class Ledger implements AutoCloseable {

    private final JsonMapper json = JsonMapper.shared();
    private final Map<String, Entry> byKey = new LinkedHashMap<>();
    private final InstantSource clock;
    private final Consumer<Entry> audience;
    private final Journal charges;
    private final Journal declines;

    private Ledger(InstantSource clock, Consumer<Entry> audience, Journal charges, Journal declines) {
        this.clock = clock;
        this.audience = audience;
        this.charges = charges;
        this.declines = declines;
    }

    /** @param audience called with every new entry once it is on disk */
    static Ledger open(Path directory, InstantSource clock, Consumer<Entry> audience) throws IOException {
        Files.createDirectories(directory);
        Journal charges = Journal.open(directory.resolve("ledger.jsonl"));
        Ledger ledger;
        try {
            ledger = new Ledger(clock, audience, charges, Journal.open(directory.resolve("declines.jsonl")));
        } catch (IOException | RuntimeException e) {
            charges.close();
            throw e;
        }
        try {
            ledger.recover();
            return ledger;
        } catch (JacksonException e) {
            ledger.close();
            throw new IOException("the ledger in " + directory + " is damaged: " + e.getOriginalMessage(), e);
        }
    }

    private void recover() {
        for (Journal journal : List.of(charges, declines)) {
            for (String line : journal.recovered()) {
                Entry entry = json.readValue(line, Entry.class);
                byKey.put(entry.key(), entry);
            }
        }
    }

    /** Enters a request, unless its key has an entry already; returns the entry of its key. */
    synchronized Entry enter(ChargeRequest request, String status) throws IOException {
        Entry known = byKey.get(request.key());
        if (known != null) {
            return known;
        }
        Entry entry = new Entry(
                "ch_" + UUID.randomUUID(),
                request.key(),
                request.account(),
                request.reference(),
                request.customerId(),
                request.amountCents(),
                request.currency(),
                request.method().label(),
                status,
                clock.instant().toString());
        Journal journal = entry.isCharge() ? charges : declines;
        journal.append(json.writeValueAsString(entry));
        byKey.put(entry.key(), entry);
        audience.accept(entry);
        return entry;
    }

    synchronized Optional<Entry> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** All charges in the order in which they were made. */
    synchronized List<Entry> charges() {
        return byKey.values().stream().filter(Entry::isCharge).toList();
    }

    @Override
    public synchronized void close() throws IOException {
        charges.close();
        declines.close();
    }
}
