package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Whoever takes the money: it does with each request what its method of payment says, and enters that in the books.
 *
 * <p>The answer is a future. It is complete when the caller is to hear of it at once, it completes by itself after a
 * while, or it never does.
 */
final class Cashier implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Cashier.class.getName());

    /** Time enough for a person to send a duplicate, or to kill somebody. */
    private static final Duration SLOWNESS = Duration.ofSeconds(3);

    private final Ledger ledger;
    private final DroppedKeys dropped;
    private final Duration lateBy;
    private final Later later;

    private Cashier(Ledger ledger, DroppedKeys dropped, Duration lateBy, Later later) {
        this.ledger = ledger;
        this.dropped = dropped;
        this.lateBy = lateBy;
        this.later = later;
    }

    /**
     * Opens the books.
     *
     * @param lateBy how long after its request a late charge is made
     * @param audience hears of every new entry
     */
    static Cashier open(Path directory, Duration lateBy, InstantSource clock, Later later, Consumer<Entry> audience)
            throws IOException {
        Ledger ledger = Ledger.open(directory, clock, audience);
        try {
            return new Cashier(ledger, DroppedKeys.open(directory), lateBy, later);
        } catch (IOException | RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    /** @throws ProviderFailure when the method of payment makes the provider fail */
    CompletableFuture<Entry> charge(ChargeRequest request) throws IOException {
        return switch (request.method()) {
            case PM_OK -> atOnce(charged(request));
            case PM_DECLINED -> atOnce(ledger.enter(request, Entry.DECLINED));
            case PM_SLOW -> slowly(charged(request));
            case PM_ERROR -> throw new ProviderFailure("the provider failed; nothing was charged");
            case PM_TIMEOUT_CHARGED -> {
                charged(request);
                yield never();
            }
            case PM_TIMEOUT_NOT_CHARGED ->
                isNew(request) && dropped.drop(request.key()) ? never() : atOnce(charged(request));
            case PM_LATE -> isNew(request) ? late(request) : atOnce(charged(request));
        };
    }

    private Entry charged(ChargeRequest request) throws IOException {
        return ledger.enter(request, Entry.SUCCEEDED);
    }

    private static CompletableFuture<Entry> atOnce(Entry entry) {
        return CompletableFuture.completedFuture(entry);
    }

    private CompletableFuture<Entry> slowly(Entry entry) {
        CompletableFuture<Entry> answer = new CompletableFuture<>();
        later.after(SLOWNESS, () -> answer.complete(entry));
        return answer;
    }

    private static CompletableFuture<Entry> never() {
        return new CompletableFuture<>();
    }

    private boolean isNew(ChargeRequest request) {
        return ledger.find(request.key()).isEmpty();
    }

    /** Repetitions of a late request are all charged later, and all but the first find its entry in the books. */
    private CompletableFuture<Entry> late(ChargeRequest request) {
        later.after(lateBy, () -> {
            try {
                charged(request);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "a late charge was not made: the books cannot be written", e);
            }
        });
        return never();
    }

    Optional<Entry> find(String key) {
        return ledger.find(key);
    }

    /** All charges in the order in which they were made. */
    List<Entry> charges() {
        return ledger.charges();
    }

    /** Closes the books; a late charge whose time has not come is never made. */
    @Override
    public void close() throws IOException {
        try (dropped) {
            ledger.close();
        }
    }
}
