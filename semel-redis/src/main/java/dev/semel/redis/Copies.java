package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SetArgs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Copies of completed records in Redis, which answers for the truth where it can and is never needed.
 *
 * <ol>
 *   <li>A copy is believed if its seal says that a process of this store has written it, for this record, and if by the
 *       truth's clock the record has certainly not ended. Everything else is as if there were nothing.
 *   <li>Redis forgets a copy before its record ends. Whether it does is no matter.
 *   <li>Nothing that goes wrong here is anybody's problem: to find nothing is always an answer.
 *   <li>What is on its way to Redis is bounded, and what is read from it as well.
 * </ol>
 */
final class Copies implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** A longer response costs more to bring here from Redis than from the database, next to what it takes there. */
    static final int LARGEST_BYTES = 1 << 20;

    /** What may wait to be written before copies are left out: a moment of a busy process, and no burden to its memory. */
    private static final long MOST_WAITING_BYTES = 16L << 20;

    /** The coarsest clock of a truth counts in milliseconds, and may see a retention end that much sooner. */
    private static final Duration TRUTH_CLOCK_STEP = Duration.ofMillis(1);

    private static final CompletionStage<Optional<StoredRecord>> NOTHING =
            CompletableFuture.completedFuture(Optional.empty());

    private final Link link;
    private final byte[] prefix;
    private final CopySeal seal;
    private final TruthClock clock;
    private final Breaker breaker;
    private final Duration maxAge;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder forgeries = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    Copies(Link link, CopySeal seal, TruthClock clock, Breaker breaker, Duration maxAge) {
        this.link = link;
        this.prefix = (link.uri().options().prefix() + ":c:").getBytes(StandardCharsets.US_ASCII);
        this.seal = seal;
        this.clock = clock;
        this.breaker = breaker;
        this.maxAge = maxAge;
    }

    private byte[] key(Identity identity) {
        byte[] member = Layout.member(identity);
        return ByteBuffer.allocate(prefix.length + member.length)
                .put(prefix)
                .put(member)
                .array();
    }

    /** The completed record, if there is a copy to be believed. The stage never fails. */
    CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        if (!breaker.lets()) {
            skipped.increment();
            return NOTHING;
        }
        // Not the whole of it, whatever its length: a copy is no longer than this.
        return link.<byte[], byte[]>call(commands -> commands.getrange(key(identity), 0, LARGEST_BYTES), bytes -> bytes)
                .handle((bytes, failure) -> {
                    if (failure != null && !isOfAnotherType(failure)) {
                        failed(failure);
                        return Optional.empty();
                    }
                    answered();
                    return believed(identity, bytes);
                });
    }

    private static boolean isOfAnotherType(Throwable failure) {
        Throwable cause = Faults.unwrapped(failure).getCause();
        return cause instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).startsWith("WRONGTYPE");
    }

    private void failed(Throwable failure) {
        faults.increment();
        if (breaker.fault()) {
            Throwable fault = Faults.unwrapped(failure);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Redis at {0} fails and is left alone, the database answers: {1}",
                    link.uri(),
                    fault.getCause() == null ? fault : fault.getCause());
        }
    }

    private void answered() {
        if (breaker.good()) {
            LOG.log(System.Logger.Level.INFO, "Redis at {0} is back", link.uri());
        }
    }

    /** @param bytes null for something that cannot be a copy */
    private Optional<StoredRecord> believed(Identity identity, byte @Nullable [] bytes) {
        if (bytes != null && bytes.length == 0) {
            misses.increment();
            return Optional.empty();
        }
        StoredRecord record = bytes == null ? null : authentic(identity, bytes);
        if (record == null) {
            forgeries.increment();
            return Optional.empty();
        }
        Instant now = clock.latest();
        Instant end = record.times().expiresAt();
        if (now == null || end == null || !end.minus(TRUTH_CLOCK_STEP).isAfter(now)) {
            misses.increment();
            return Optional.empty();
        }
        hits.increment();
        return Optional.of(Changes.asOf(record, now));
    }

    private @Nullable StoredRecord authentic(Identity identity, byte[] bytes) {
        ByteBuffer content = seal.opened(identity, bytes);
        try {
            return content == null ? null : CopyFormat.record(identity, content);
        } catch (RuntimeException fromAnotherRelease) {
            return null;
        }
    }

    /** Copies a completed record that the truth has confirmed; or does not. */
    void keep(StoredRecord record) {
        Instant end = record.times().expiresAt();
        if (record.state() != State.COMPLETED || record.response() == null || end == null || !breaker.isClosed()) {
            return;
        }
        Duration left = clock.until(end.minus(TRUTH_CLOCK_STEP));
        boolean secret = record.identity().equals(TierSecret.IDENTITY);
        if (left == null || secret || record.response().size() > LARGEST_BYTES) {
            return;
        }
        long millis = (left.compareTo(maxAge) < 0 ? left : maxAge).toMillis();
        byte[] copy = seal.sealed(record.identity(), CopyFormat.bytes(record));
        if (millis < 1 || copy.length > LARGEST_BYTES) {
            return;
        }
        if (waitingBytes.addAndGet(copy.length) > MOST_WAITING_BYTES) {
            waitingBytes.addAndGet(-copy.length);
            return;
        }
        link.post(
                commands -> commands.set(key(record.identity()), copy, SetArgs.Builder.px(millis)),
                () -> waitingBytes.addAndGet(-copy.length));
    }

    TieredStatistics statistics() {
        return new TieredStatistics(hits.sum(), misses.sum(), forgeries.sum(), faults.sum(), skipped.sum());
    }

    @Override
    public void close() {
        link.close();
    }
}
