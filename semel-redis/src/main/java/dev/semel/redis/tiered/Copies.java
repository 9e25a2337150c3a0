package dev.semel.redis.tiered;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.redis.connection.Link;
import dev.semel.redis.connection.RedisFaults;
import dev.semel.redis.record.Layout;
import dev.semel.spi.Changes;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SetArgs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Copies of completed records in Redis, which save requests to the primary store.
 *
 * <ol>
 *   <li>A copy is used if its seal proves that a process of this store has written it for this record, and if the record's
 *       retention certainly has not ended by the primary store's clock. Any other value counts as a miss.
 *   <li>A copy's TTL ends before its record's retention; correctness does not depend on it.
 *   <li>A failure of Redis counts as a miss, and is never passed to a caller.
 *   <li>The number of bytes that wait to be written is limited, and so is the number of bytes read for one copy.
 * </ol>
 */
final class Copies implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    /** For a longer response, the transfer costs more than the database request that a copy saves. */
    static final int MAX_COPY_BYTES = 1 << 20;

    /** While more bytes than this wait to be written, no copies are made: a moment of a busy process. */
    private static final long MAX_WAITING_BYTES = 16L << 20;

    /** The coarsest clock of a primary store has milliseconds, so a retention can end that much sooner by it. */
    private static final Duration PRIMARY_CLOCK_STEP = Duration.ofMillis(1);

    private static final CompletionStage<Optional<StoredRecord>> MISS =
            CompletableFuture.completedFuture(Optional.empty());

    private final Link link;
    private final byte[] prefix;
    private final CopySeal seal;
    private final PrimaryClock clock;
    private final CircuitBreaker breaker;
    private final Duration maxAge;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder forgeries = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private final LongAdder skipped = new LongAdder();

    Copies(Link link, CopySeal seal, PrimaryClock clock, CircuitBreaker breaker, Duration maxAge) {
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

    /** Returns the completed record if there is a valid copy. The stage never fails. */
    CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        if (!breaker.tryAcquire()) {
            skipped.increment();
            return MISS;
        }
        return read(identity).handle((bytes, failure) -> found(identity, bytes, failure));
    }

    /** {@link #find} for callers that wait: the copy is validated on their own thread. */
    Optional<StoredRecord> findAndWait(Identity identity) {
        if (!breaker.tryAcquire()) {
            skipped.increment();
            return Optional.empty();
        }
        try {
            return found(identity, read(identity).toCompletableFuture().join(), null);
        } catch (CompletionException e) {
            return found(identity, null, e);
        }
    }

    private CompletionStage<byte[]> read(Identity identity) {
        // A foreign value can be longer than any copy.
        return link.<byte[], byte[]>call(
                commands -> commands.getrange(key(identity), 0, MAX_COPY_BYTES), bytes -> bytes);
    }

    private Optional<StoredRecord> found(Identity identity, byte @Nullable [] bytes, @Nullable Throwable failure) {
        if (failure != null && !isWrongType(failure)) {
            failed(failure);
            return Optional.empty();
        }
        succeeded();
        return validated(identity, bytes);
    }

    private static boolean isWrongType(Throwable failure) {
        Throwable cause = RedisFaults.unwrapped(failure).getCause();
        return cause instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).startsWith("WRONGTYPE");
    }

    private void failed(Throwable failure) {
        faults.increment();
        if (breaker.onFailure()) {
            Throwable fault = RedisFaults.unwrapped(failure);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Redis at {0} fails, so claims go to the primary store; one a second tries Redis again: {1}",
                    link.uri(),
                    fault.getCause() == null ? fault : fault.getCause());
        }
    }

    private void succeeded() {
        if (breaker.onSuccess()) {
            LOG.log(System.Logger.Level.INFO, "Redis at {0} replies again, and is in use", link.uri());
        }
    }

    /** @param bytes null for a key of another type */
    private Optional<StoredRecord> validated(Identity identity, byte @Nullable [] bytes) {
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
        if (now == null || end == null || !end.minus(PRIMARY_CLOCK_STEP).isAfter(now)) {
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

    /** Copies a completed record that the primary store has confirmed, as far as Redis is available. */
    void put(StoredRecord record) {
        Instant end = record.times().expiresAt();
        if (record.state() != State.COMPLETED || record.response() == null || end == null || !breaker.isClosed()) {
            return;
        }
        Duration left = clock.until(end.minus(PRIMARY_CLOCK_STEP));
        boolean isSecret = record.identity().equals(TierSecret.IDENTITY);
        if (left == null || isSecret || record.response().size() > MAX_COPY_BYTES) {
            return;
        }
        long millis = (left.compareTo(maxAge) < 0 ? left : maxAge).toMillis();
        byte[] copy = seal.sealed(record.identity(), CopyFormat.bytes(record));
        if (millis < 1 || copy.length > MAX_COPY_BYTES) {
            return;
        }
        if (waitingBytes.addAndGet(copy.length) > MAX_WAITING_BYTES) {
            waitingBytes.addAndGet(-copy.length);
            return;
        }
        link.post(
                commands -> commands.set(key(record.identity()), copy, SetArgs.Builder.px(millis)),
                () -> waitingBytes.addAndGet(-copy.length));
    }

    /**
     * Removes the copy of a record, and waits until it is gone.
     *
     * @throws dev.semel.StoreException when Redis cannot be reached
     */
    void remove(Identity identity) {
        Long unused = link.await(link.<Long, Long>call(commands -> commands.del(key(identity)), removed -> removed));
    }

    TieredStatistics statistics() {
        return new TieredStatistics(hits.sum(), misses.sum(), forgeries.sum(), faults.sum(), skipped.sum());
    }

    @Override
    public void close() {
        link.close();
    }
}
