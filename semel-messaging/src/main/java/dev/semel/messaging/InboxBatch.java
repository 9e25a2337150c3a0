package dev.semel.messaging;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.Settlement;
import dev.semel.engine.SemelEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are handled together.
 *
 * <ol>
 *   <li>All are claimed at once; of those with one identity the first, and the others share its fate.
 *   <li>Those that were granted are handled one after the other, in their order. Behind one that has to come again, its lane
 *       stands still: what was granted there is given back, since it was not begun.
 *   <li>All are settled at once.
 * </ol>
 */
final class InboxBatch<M> {

    /** A message on its way through the batch. */
    private static final class Item<M> {

        private final M message;
        private final Object lane;
        private @Nullable Fingerprint fingerprint;
        private @Nullable Item<M> sameAs;
        private @Nullable CompletableFuture<Claim> claim;
        private @Nullable RunningAttempt attempt;
        private @Nullable Outcome outcome;
        private @Nullable CompletableFuture<Settlement> settlement;
        private @Nullable Delivery delivery;

        Item(M message, Object lane) {
            this.message = message;
            this.lane = lane;
        }
    }

    private final SemelEngine semel;
    private final Deliveries deliveries;
    private final MessageHandler<? super M> handler;
    private final List<Item<M>> items = new ArrayList<>();
    private final List<Intent> intents = new ArrayList<>();
    private final List<Item<M>> claimed = new ArrayList<>();
    private final Map<Identity, Item<M>> firsts = new HashMap<>();
    private final Set<Object> standing = new HashSet<>();

    InboxBatch(SemelEngine semel, Deliveries deliveries, MessageHandler<? super M> handler) {
        this.semel = semel;
        this.deliveries = deliveries;
        this.handler = handler;
    }

    /** A message of which it is known what becomes of it, without asking the store. */
    void add(M message, Object lane, Delivery delivery) {
        Item<M> item = new Item<>(message, lane);
        items.add(item);
        item.delivery = delivery;
    }

    void add(M message, Object lane, Intent intent) {
        Item<M> item = new Item<>(message, lane);
        items.add(item);
        item.fingerprint = intent.fingerprint();
        Item<M> first = firsts.putIfAbsent(intent.identity(), item);
        if (first == null) {
            intents.add(intent);
            claimed.add(item);
        } else if (intent.fingerprint().equals(first.fingerprint)) {
            item.sameAs = first;
        } else {
            item.delivery = Deliveries.reused();
        }
    }

    List<Delivery> handle() {
        claim();
        items.forEach(this::handle);
        settle();
        return items.stream().map(this::deliveryOf).toList();
    }

    private void claim() {
        semel.together(() -> {
            for (int i = 0; i < intents.size(); i++) {
                claimed.get(i).claim = semel.beginAsync(intents.get(i)).toCompletableFuture();
            }
        });
    }

    private void handle(Item<M> item) {
        if (item.sameAs != null && !isDone(item.sameAs)) {
            standing.add(item.lane);
        }
        if (item.claim == null) {
            standIf(item);
            return;
        }
        Claim claim;
        try {
            claim = item.claim.join();
        } catch (CompletionException e) {
            StoreException fault =
                    e.getCause() instanceof StoreException known ? known : new StoreException(String.valueOf(e), e);
            item.delivery = Deliveries.unavailable(fault);
            standing.add(item.lane);
            return;
        }
        if (!(claim instanceof Claim.Granted granted)) {
            item.delivery = Deliveries.notGranted(claim);
            standIf(item);
            return;
        }
        item.attempt = granted.attempt();
        item.outcome = standing.contains(item.lane)
                ? deliveries.notBegun(granted.attempt(), "behind_another")
                : outcomeOf(item.message, granted.attempt());
        if (!isDone(item)) {
            standing.add(item.lane);
        }
    }

    /** As far as it is known before it is settled. */
    private static boolean isDone(Item<?> item) {
        return item.outcome == null
                ? !(item.delivery instanceof Delivery.Redeliver)
                : item.outcome instanceof Outcome.Completed;
    }

    private void standIf(Item<M> item) {
        if (item.delivery instanceof Delivery.Redeliver) {
            standing.add(item.lane);
        }
    }

    private Outcome outcomeOf(M message, RunningAttempt attempt) {
        if (!attempt.stillOwner()) {
            // Those before it took too long: it is not begun, and who holds it now will say what becomes of it.
            return deliveries.notBegun(attempt, "too_late");
        }
        if (Thread.currentThread().isInterrupted()) {
            return deliveries.notBegun(attempt, "interrupted");
        }
        RunningAttempt.Entered entered = attempt.enter();
        try {
            handler.handle(message, attempt);
            // What the handler has said itself counts, also for those behind it.
            return attempt.declared().orElse(HandledRecord.handled());
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return deliveries.failed(attempt, failure);
        } finally {
            entered.leave();
        }
    }

    private void settle() {
        semel.together(() -> {
            for (Item<M> item : claimed) {
                if (item.attempt != null && item.outcome != null) {
                    item.settlement = item.attempt.settle(item.outcome).toCompletableFuture();
                }
            }
        });
        for (Item<M> item : claimed) {
            if (item.settlement != null && item.outcome != null) {
                item.delivery = Deliveries.settled(item.outcome, item.settlement.join());
            }
        }
    }

    private Delivery deliveryOf(Item<M> item) {
        Item<M> first = item.sameAs;
        Delivery delivery = first == null ? item.delivery : first.delivery;
        if (delivery == null) {
            throw new IllegalStateException("a message of a batch was forgotten");
        }
        return first != null && delivery instanceof Delivery.Acknowledge ? new Delivery.Acknowledge(true) : delivery;
    }
}
