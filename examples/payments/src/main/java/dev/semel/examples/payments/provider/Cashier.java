package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Charges requests as their method of payment says, and enters them in the ledger. */
final class Cashier implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Cashier.class.getName());

    /** Time enough for a person to send a duplicate, or to kill a process. */
    private static final Duration SLOWNESS = Duration.ofSeconds(3);

    private final Ledger ledger;
    private final DroppedKeys dropped;
    private final Duration lateBy;
    private final DelayedTasks later;

    private Cashier(Ledger ledger, DroppedKeys dropped, Duration lateBy, DelayedTasks later) {
        this.ledger = ledger;
        this.dropped = dropped;
        this.lateBy = lateBy;
        this.later = later;
    }

    /**
     * Opens the ledger.
     *
     * @param lateBy how long after its request a late charge is made
     * @param audience called with every new entry
     */
    static Cashier open(
            Path directory, Duration lateBy, InstantSource clock, DelayedTasks later, Consumer<Entry> audience)
            throws IOException {
        Ledger ledger = Ledger.open(directory, clock, audience);
        try {
            return new Cashier(ledger, DroppedKeys.open(directory), lateBy, later);
        } catch (IOException | RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    /**
     * Charges, or does not.
     *
     * @param caller called with the entry: before this returns, later, or never
     * @throws ProviderFailure when the method of payment makes the provider fail
     */
    void charge(ChargeRequest request, Consumer<Entry> caller) throws IOException {
        switch (request.method()) {
            case PM_OK -> caller.accept(charged(request));
            case PM_DECLINED -> caller.accept(ledger.enter(request, Entry.DECLINED));
            case PM_SLOW -> {
                Entry entry = charged(request);
                later.after(SLOWNESS, () -> caller.accept(entry));
            }
            case PM_ERROR -> throw new ProviderFailure("the provider failed; nothing was charged");
            case PM_TIMEOUT_CHARGED -> charged(request);
            case PM_TIMEOUT_NOT_CHARGED -> {
                if (!isNew(request) || !dropped.drop(request.key())) {
                    caller.accept(charged(request));
                }
            }
            case PM_LATE -> {
                if (isNew(request)) {
                    later.after(lateBy, () -> chargeLate(request));
                } else {
                    caller.accept(charged(request));
                }
            }
        }
    }

    private boolean isNew(ChargeRequest request) {
        return ledger.find(request.key()).isEmpty();
    }

    private Entry charged(ChargeRequest request) throws IOException {
        return ledger.enter(request, Entry.SUCCEEDED);
    }

    /** Called for each repetition of a late request, too; all but the first find its entry in the ledger. */
    private void chargeLate(ChargeRequest request) {
        try {
            charged(request);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "a late charge was not made: the ledger cannot be written", e);
        }
    }

    Optional<Entry> find(String key) {
        return ledger.find(key);
    }

    /** All charges in the order in which they were made. */
    List<Entry> charges() {
        return ledger.charges();
    }

    /** Closes the ledger; late charges that are not due yet are never made. */
    @Override
    public void close() throws IOException {
        try (dropped) {
            ledger.close();
        }
    }
}
