package dev.semel.messaging;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
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
 * One batch of messages on its way through the inbox.
 *
 * <ol>
 *   <li>All messages are claimed at once. Of several with one identity the first is claimed, and the others get its result.
 *   <li>The granted ones are handled one after the other, in their order. A message that must be redelivered blocks its lane:
 *       later grants of that lane are released without calling the handler.
 *   <li>All attempts are settled at once.
 * </ol>
 */
final class InboxBatch<M> {

    /** A message and its state in the batch. */
    private static final class Item<M> {

        private final M message;
        private final Object lane;
        private @Nullable Fingerprint fingerprint;
        private @Nullable Item<M> duplicateOf;
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
    private final Set<Object> blockedLanes = new HashSet<>();

    InboxBatch(SemelEngine semel, Deliveries deliveries, MessageHandler<? super M> handler) {
        this.semel = semel;
        this.deliveries = deliveries;
        this.handler = handler;
    }

    /** Adds a message whose delivery is decided without the store. */
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
            item.duplicateOf = first;
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
        if (item.duplicateOf != null && !isDone(item.duplicateOf)) {
            blockedLanes.add(item.lane);
        }
        if (item.claim == null) {
            blockLaneIfRedelivered(item);
            return;
        }
        Claim claim;
        try {
            claim = item.claim.join();
        } catch (CompletionException e) {
            StoreException fault =
                    e.getCause() instanceof StoreException known ? known : new StoreException(String.valueOf(e), e);
            item.delivery = Deliveries.unavailable(fault);
            blockedLanes.add(item.lane);
            return;
        }
        if (!(claim instanceof Claim.Granted granted)) {
            item.delivery = Deliveries.notGranted(claim);
            blockLaneIfRedelivered(item);
            return;
        }
        item.attempt = granted.attempt();
        item.outcome = blockedLanes.contains(item.lane)
                ? deliveries.notStarted(granted.attempt(), "behind_another")
                : outcomeOf(item.message, granted.attempt());
        if (!isDone(item)) {
            blockedLanes.add(item.lane);
        }
    }

    /** Whether the message needs no redelivery, before its attempt is settled. */
    private static boolean isDone(Item<?> item) {
        return item.outcome == null
                ? !(item.delivery instanceof Delivery.Redeliver)
                : item.outcome instanceof Outcome.Completed;
    }

    private void blockLaneIfRedelivered(Item<M> item) {
        if (item.delivery instanceof Delivery.Redeliver) {
            blockedLanes.add(item.lane);
        }
    }

    private Outcome outcomeOf(M message, RunningAttempt attempt) {
        if (!attempt.stillOwner()) {
            // The messages before it outlasted its lease. The current lease holder decides about it.
            return deliveries.notStarted(attempt, "too_late");
        }
        if (Thread.currentThread().isInterrupted()) {
            return deliveries.notStarted(attempt, "interrupted");
        }
        RunningAttempt.Entered entered = attempt.enter();
        try {
            handler.handle(message, attempt);
            // An outcome that the handler declared also decides about the messages behind it.
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
        Item<M> first = item.duplicateOf;
        Delivery delivery = first == null ? item.delivery : first.delivery;
        if (delivery == null) {
            throw new IllegalStateException("a message of the batch has no delivery; this is a bug in the inbox");
        }
        return first != null && delivery instanceof Delivery.Acknowledge ? new Delivery.Acknowledge(true) : delivery;
    }
}
