package dev.semel.dynamodb.table;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.items.AuditBytes;
import dev.semel.items.Codes;
import dev.semel.items.Item;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import dev.semel.spi.Transitions.Deleted;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The names and values of an item's attributes. Names are short, since every byte of an item is paid for with every write; times
 * are microseconds since 1970, by the service's clock. {@code docs/reference/dynamodb.md} lists them.
 */
public final class Attributes {

    /** The partition key: the scope, a line feed, the key. Neither of them can contain a line feed. */
    public static final String KEY = "pk";

    /** The partition key of the index of open records, which only those have: {@code l} or {@code u}, and a shard. */
    public static final String QUEUE = "q";

    /** The sort key of the index: when the lease ends, or when to ask about an unknown outcome. */
    public static final String AT = "t";

    /** When DynamoDB may delete the item, in seconds; only what is settled has it. */
    public static final String TTL = "ttl";

    public static final String OPERATION = "op";
    static final String STATE = "s";
    static final String EXPIRES = "x";
    static final String FENCE = "f";
    static final String VERSION = "v";

    private static final String TOKEN = "w";
    private static final String FINGERPRINT = "fp";
    private static final String ATTEMPTS = "n";
    private static final String REEXECUTABLE = "re";
    private static final String HOLDER = "h";
    private static final String CREATED = "c";
    private static final String UPDATED = "u";
    private static final String CLAIMED = "cl";
    private static final String DOUBT = "d";
    private static final String LOCKED = "lu";
    private static final String REASON = "rs";
    private static final String EVIDENCE_SOURCE = "es";
    private static final String EVIDENCE_DETAIL = "ed";
    private static final String SINCE = "us";
    private static final String TRIES = "ut";
    private static final String NEXT_TRY = "un";
    private static final String RESPONSE = "r";
    private static final String STEPS = "st";
    private static final String AUDIT = "a";
    private static final String DELETED = "da";
    private static final String TOMBSTONE = "tu";
    private static final String PARTS = "pn";
    private static final String PARTS_TOKEN = "pt";

    /** What a list of records reads: all but response, steps and audit. */
    static final List<String> SUMMARY = List.of(
            KEY,
            OPERATION,
            STATE,
            EXPIRES,
            FENCE,
            VERSION,
            TOKEN,
            FINGERPRINT,
            ATTEMPTS,
            REEXECUTABLE,
            HOLDER,
            CREATED,
            UPDATED,
            CLAIMED,
            DOUBT,
            LOCKED,
            REASON,
            EVIDENCE_SOURCE,
            EVIDENCE_DETAIL,
            SINCE,
            TRIES,
            NEXT_TRY);

    /**
     * How long after its retention a settled record stays at least, so that pruning can mark it; and for how long the fence of a
     * deleted record is kept. Longer than clocks of processes can differ, and than the five minutes for which DynamoDB accepts a
     * signed request: a claim that was delayed on its way never meets an absent record whose fences were higher than its own.
     */
    static final Duration GRACE = Duration.ofMinutes(20);

    /** The place in the index of unknown records that wait for a person: after every time. */
    private static final long NEVER = 9_000_000_000_000_000_000L;

    private final int shards;
    private final Duration keepMarked;
    private final Duration tombstones;

    /** The attributes of a store with so many shards, which keeps marked records and tombstones for so long. */
    public Attributes(int shards, Duration keepMarked, Duration tombstones) {
        this.shards = shards;
        this.keepMarked = keepMarked;
        this.tombstones = tombstones;
    }

    /** What a deleted record leaves: its fence for a while, and a tombstone if the store keeps them and no person let it expire. */
    Item.Remains remains(Item item, Instant now) {
        StoredRecord record = Objects.requireNonNull(item.record());
        Instant end = record.times().expiresAt();
        boolean tombstone = !tombstones.isZero() && !StoredRecord.FORGOTTEN.equals(record.reason());
        return new Item.Remains(end != null && end.isAfter(now) ? end : now, tombstone ? now.plus(tombstones) : null);
    }

    /** What the store knows of a record that it has deleted. */
    Deleted deleted(@Nullable Item item, Instant now) {
        Item.Remains left = item == null ? null : item.remains();
        return left == null
                ? Deleted.unread(!tombstones.isZero())
                : new Deleted(
                        !tombstones.isZero(),
                        left.until() != null && left.until().isAfter(now),
                        left.deletedAt());
    }

    private Duration longer(Duration one) {
        return one.compareTo(tombstones) > 0 ? one : tombstones;
    }

    static String key(Identity identity) {
        return identity.scope().value() + "\n" + identity.key().value();
    }

    static Identity identity(String key) {
        int end = key.indexOf('\n');
        return Identity.of(key.substring(0, end), key.substring(end + 1));
    }

    /** The index's partition for records of this kind in this shard. */
    static String queue(char kind, int shard) {
        return kind + Integer.toString(shard);
    }

    private int shard(String key) {
        CRC32C checksum = new CRC32C();
        checksum.update(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return (int) (checksum.getValue() % shards);
    }

    int shards() {
        return shards;
    }

    /** The attributes of an item that is written at this moment. */
    Map<String, AttributeValue> of(Item item, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(KEY, text(key(item.identity())));
        values.put(FENCE, number(item.fence()));
        values.put(VERSION, number(item.version()));
        values.put(TOKEN, number(item.token()));
        StoredRecord record = item.record();
        if (record == null) {
            Item.Remains left = Objects.requireNonNull(item.remains());
            values.put(DELETED, time(left.deletedAt()));
            putTime(values, TOMBSTONE, left.until());
            values.put(TTL, number(now.plus(longer(GRACE)).getEpochSecond()));
            return values;
        }
        put(values, record);
        put(values, record.times());
        putPlace(values, record, now);
        if (item.parts() != null && record.state() != State.COMPLETED) {
            values.remove(TTL);
        }
        putContents(values, item, record);
        return values;
    }

    private static void put(Map<String, AttributeValue> values, StoredRecord record) {
        values.put(OPERATION, text(record.operation()));
        values.put(FINGERPRINT, text(record.fingerprint().value()));
        values.put(STATE, number(Codes.code(record.state())));
        values.put(ATTEMPTS, number(record.attempts()));
        if (record.reexecutable()) {
            values.put(REEXECUTABLE, AttributeValue.fromBool(true));
        }
        values.put(HOLDER, text(record.holder()));
        if (record.reason() != null) {
            values.put(REASON, text(record.reason()));
        }
        if (record.evidence() != null) {
            values.put(EVIDENCE_SOURCE, text(record.evidence().source()));
            values.put(EVIDENCE_DETAIL, text(record.evidence().detail()));
        }
        Reconciling reconciling = record.reconciling();
        if (reconciling != null) {
            values.put(SINCE, time(reconciling.since()));
            values.put(TRIES, number(reconciling.tries()));
            putTime(values, NEXT_TRY, reconciling.nextTryAt());
        }
    }

    private static void put(Map<String, AttributeValue> values, Times times) {
        values.put(CREATED, time(times.createdAt()));
        values.put(UPDATED, time(times.updatedAt()));
        values.put(CLAIMED, time(times.claimedAt()));
        putTime(values, DOUBT, times.doubtSince());
        putTime(values, LOCKED, times.lockedUntil());
        putTime(values, EXPIRES, times.expiresAt());
    }

    /** Where the sweeper and the reconciler find it, or when DynamoDB may delete it: never both. */
    private void putPlace(Map<String, AttributeValue> values, StoredRecord record, Instant now) {
        int shard = shard(key(record.identity()));
        Times times = record.times();
        switch (record.state()) {
            case IN_PROGRESS -> {
                boolean noticed = record.reason() != null;
                if (!noticed && times.lockedUntil() != null) {
                    values.put(QUEUE, text(queue('l', shard)));
                    values.put(AT, time(times.lockedUntil()));
                }
            }
            case UNKNOWN -> {
                Instant next = record.reconciling() == null
                        ? null
                        : record.reconciling().nextTryAt();
                values.put(QUEUE, text(queue('u', shard)));
                values.put(AT, next == null ? number(NEVER) : time(next));
            }
            case COMPLETED, FAILED_RETRYABLE ->
                values.put(
                        TTL,
                        number(Objects.requireNonNull(times.expiresAt())
                                .plus(longer(GRACE))
                                .getEpochSecond()));
            case EXPIRED -> values.put(TTL, number(now.plus(longer(keepMarked)).getEpochSecond()));
        }
    }

    private static void putContents(Map<String, AttributeValue> values, Item item, StoredRecord record) {
        if (item.parts() != null) {
            values.put(PARTS, number(item.parts().count()));
            values.put(PARTS_TOKEN, number(item.parts().token()));
        } else if (record.response() != null) {
            values.put(RESPONSE, bytes(record.response().bytes()));
        }
        if (item.parts() == null && !record.steps().isEmpty()) {
            values.put(STEPS, bytes(record.steps().bytes()));
        }
        values.put(
                AUDIT,
                AttributeValue.fromL(
                        item.audit().stream().map(entry -> bytes(entry.bytes())).toList()));
    }

    /** Reads an item, or the part of it that a list has read. */
    static Item read(Map<String, AttributeValue> values) {
        String key = need(values, KEY).s();
        try {
            Identity identity = identity(key);
            AttributeValue parts = values.get(PARTS);
            AttributeValue audit = values.get(AUDIT);
            return new Item(
                    identity,
                    number(values, FENCE),
                    number(values, VERSION),
                    number(values, TOKEN),
                    values.containsKey(OPERATION) ? record(identity, values) : null,
                    audit == null
                            ? List.of()
                            : audit.l().stream()
                                    .map(entry -> new AuditBytes(entry.b().asByteArrayUnsafe()))
                                    .toList(),
                    parts == null
                            ? null
                            : new Item.Parts(number(values, PARTS_TOKEN), Math.toIntExact(number(values, PARTS))),
                    values.containsKey(DELETED)
                            ? new Item.Remains(required(values, DELETED), optional(values, TOMBSTONE))
                            : null);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "the record of " + key.replace('\n', ' ')
                            + " in DynamoDB is damaged: another program has written to its item. Restore the item from a backup.",
                    e);
        }
    }

    private static StoredRecord record(Identity identity, Map<String, AttributeValue> values) {
        State state = Codes.state((int) number(values, STATE));
        AttributeValue source = values.get(EVIDENCE_SOURCE);
        AttributeValue reason = values.get(REASON);
        AttributeValue steps = values.get(STEPS);
        Instant updated = required(values, UPDATED);
        return new StoredRecord(
                identity,
                need(values, OPERATION).s(),
                new Fingerprint(need(values, FINGERPRINT).s()),
                state,
                number(values, FENCE),
                (int) number(values, ATTEMPTS),
                values.containsKey(REEXECUTABLE),
                need(values, HOLDER).s(),
                new Times(
                        updated,
                        required(values, CREATED),
                        updated,
                        required(values, CLAIMED),
                        optional(values, DOUBT),
                        optional(values, LOCKED),
                        optional(values, EXPIRES)),
                state == State.COMPLETED ? response(values) : null,
                reason == null ? null : reason.s(),
                source == null
                        ? null
                        : new Evidence(source.s(), need(values, EVIDENCE_DETAIL).s()),
                Steps.of(steps == null ? null : steps.b().asByteArrayUnsafe()),
                state == State.UNKNOWN
                        ? new Reconciling(
                                required(values, SINCE), (int) number(values, TRIES), optional(values, NEXT_TRY))
                        : null);
    }

    static StoredRecord withSteps(StoredRecord record, Steps steps) {
        return new StoredRecord(
                record.identity(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                record.fence(),
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                record.times(),
                record.response(),
                record.reason(),
                record.evidence(),
                steps,
                record.reconciling());
    }

    private static Response response(Map<String, AttributeValue> values) {
        AttributeValue response = values.get(RESPONSE);
        return Response.of(response == null ? new byte[0] : response.b().asByteArrayUnsafe());
    }

    private static AttributeValue need(Map<String, AttributeValue> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    private static long number(Map<String, AttributeValue> values, String name) {
        return Long.parseLong(need(values, name).n());
    }

    private static Instant required(Map<String, AttributeValue> values, String name) {
        return Codes.instant(number(values, name));
    }

    private static @Nullable Instant optional(Map<String, AttributeValue> values, String name) {
        return values.containsKey(name) ? required(values, name) : null;
    }

    private static void putTime(Map<String, AttributeValue> values, String name, @Nullable Instant time) {
        if (time != null) {
            values.put(name, time(time));
        }
    }

    /** Rounded up, so that no lease and no retention ends early. */
    static AttributeValue time(Instant time) {
        return number(Codes.microsUp(time));
    }

    static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue bytes(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(bytes));
    }
}
