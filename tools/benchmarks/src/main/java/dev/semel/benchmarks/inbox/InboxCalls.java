package dev.semel.benchmarks.inbox;

import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Load;
import dev.semel.benchmarks.load.Slice;
import dev.semel.benchmarks.store.Keys;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Messages that go through an inbox; each is its own id. */
final class InboxCalls {

    /** The default of {@code max.poll.records}. */
    static final int BATCH = 500;

    private static final byte[] CONTENT =
            "{\"order\":4711,\"amount\":\"100.00\",\"currency\":\"EUR\"}".getBytes(StandardCharsets.UTF_8);

    private final Keys handled = new Keys("d");
    private final Inbox<String> inbox;

    InboxCalls(SemelEngine semel) {
        this.inbox = Inbox.of(semel, "bench", (String id) -> MessageIdentity.withId(id, CONTENT))
                .build();
    }

    Load oneAtATime(Supplier<String> ids) {
        return new BlockingLoad(1, () -> check(inbox.handle(ids.get(), (id, attempt) -> {})));
    }

    /** Counts messages, not batches. */
    Load batches(Supplier<String> ids) {
        Load batches = new BlockingLoad(
                1, () -> handle(Stream.generate(ids).limit(BATCH).toList()));
        return length -> {
            Slice slice = batches.run(length);
            return new Slice(slice.calls() * BATCH, slice.seconds(), slice.latency());
        };
    }

    /** Has this many handled, for {@link #again}. */
    void handle(int count) {
        for (int from = 1; from <= count; from += BATCH) {
            int first = from;
            handle(Stream.iterate(first, i -> i + 1)
                    .limit(Math.min(BATCH, count - first + 1))
                    .map(handled::at)
                    .toList());
        }
    }

    /** Those that were handled, over and over. */
    Supplier<String> again(int count) {
        AtomicLong next = new AtomicLong();
        return () -> handled.at(next.getAndIncrement() % count + 1);
    }

    private void handle(List<String> ids) {
        inbox.handleAll(ids, id -> 0, (id, attempt) -> {}).forEach(InboxCalls::check);
    }

    private static void check(Delivery delivery) {
        if (!(delivery instanceof Delivery.Acknowledge)) {
            throw new IllegalStateException("a message was not handled: " + delivery);
        }
    }
}
