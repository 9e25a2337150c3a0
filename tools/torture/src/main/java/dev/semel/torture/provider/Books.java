package dev.semel.torture.provider;

import dev.semel.Identity;
import dev.semel.torture.history.LedgerEvent;
import dev.semel.torture.history.Receipt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The provider's ledger: it charges as often as it is asked to, records every charge, and answers lookups.
 *
 * <p>It does not recognize a repetition. That is the point: each execution leaves a line of its own.
 */
public final class Books {

    /** Enough that something can happen between the charge and its answer. */
    private static final Duration SLOW = Duration.ofMillis(150);

    /** What happens later. */
    public interface Later {
        void after(Duration delay, Runnable what);
    }

    private final Consumer<LedgerEvent> ledger;
    private final InstantSource clock;
    private final Later later;
    private final Duration lateBy;
    private final AtomicInteger arrivals = new AtomicInteger();
    private final Map<String, Treatment> seen = new ConcurrentHashMap<>();
    private final Map<String, Receipt> receipts = new ConcurrentHashMap<>();

    /**
     * Opens the books.
     *
     * @param lateBy how long after the request the latest charges are made
     */
    public Books(Consumer<LedgerEvent> ledger, InstantSource clock, Later later, Duration lateBy) {
        this.ledger = ledger;
        this.clock = clock;
        this.later = later;
        this.lateBy = lateBy;
    }

    /** Charges, or whatever the treatment says; empty when it refuses, and never completes when it is silent. */
    public CompletionStage<Optional<Receipt>> charge(Charge charge) {
        Treatment treatment = seen.merge(nameOf(charge), charge.treatment(), (before, now) -> before.again());
        LedgerEvent.Request request = new LedgerEvent.Request(
                "a" + arrivals.incrementAndGet(), charge.identity(), charge.fence(), charge.meaning());
        ledger.accept(new LedgerEvent.Arrived(clock.instant(), request, treatment.name()));
        return switch (treatment) {
            case PROMPT -> CompletableFuture.completedFuture(Optional.of(charged(charge, request)));
            case SLOW_ANSWER -> {
                Receipt receipt = charged(charge, request);
                yield delayed(SLOW, () -> Optional.of(receipt));
            }
            case SLOW_CHARGE -> delayed(SLOW, () -> Optional.of(charged(charge, request)));
            case DECLINE -> CompletableFuture.completedFuture(Optional.of(declined(charge, request)));
            case REFUSE -> CompletableFuture.completedFuture(Optional.empty());
            case SILENTLY_CHARGED -> {
                charged(charge, request);
                yield new CompletableFuture<>();
            }
            case SILENTLY_LOST -> new CompletableFuture<>();
            case LATE -> {
                delayed(lateBy, () -> Optional.of(charged(charge, request)));
                yield new CompletableFuture<>();
            }
        };
    }

    private CompletionStage<Optional<Receipt>> delayed(Duration delay, Supplier<Optional<Receipt>> what) {
        CompletableFuture<Optional<Receipt>> answer = new CompletableFuture<>();
        later.after(delay, () -> answer.complete(what.get()));
        return answer;
    }

    private Receipt charged(Charge charge, LedgerEvent.Request request) {
        ledger.accept(new LedgerEvent.Charged(clock.instant(), request));
        return kept(charge, new Receipt(request.arrival(), request.meaning(), true));
    }

    private Receipt declined(Charge charge, LedgerEvent.Request request) {
        ledger.accept(new LedgerEvent.Declined(clock.instant(), request));
        return kept(charge, new Receipt(request.arrival(), request.meaning(), false));
    }

    private Receipt kept(Charge charge, Receipt receipt) {
        receipts.put(nameOf(charge), receipt);
        return receipt;
    }

    /**
     * The outcome of a charge; empty when it was never made, or not yet.
     *
     * @param meaning of what was charged: after its retention a key may be used for something else
     */
    public Optional<Receipt> lookUp(String downstreamKey, String meaning, Identity identity) {
        @Nullable Receipt found = receipts.get(nameOf(downstreamKey, meaning));
        ledger.accept(new LedgerEvent.LookedUp(clock.instant(), identity, found == null ? null : found.arrival()));
        return Optional.ofNullable(found);
    }

    private static String nameOf(Charge charge) {
        return nameOf(charge.downstreamKey(), charge.meaning());
    }

    private static String nameOf(String downstreamKey, String meaning) {
        return downstreamKey + " " + meaning;
    }
}
