package dev.semel.dynamodb.table;

import dev.semel.Identity;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.items.Item;
import dev.semel.items.ItemTable.Found;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Responses and steps that do not fit into an item, which holds 400 KB. They are cut into parts, each an item of its own, which are
 * written before the record that names them: the record is still changed by one conditional write. Parts are never changed.
 *
 * <p>Parts of a response end by their TTL, after their record. Parts of steps have none, because their record is open or may be
 * again; nor has such a record, and pruning deletes both.
 */
final class LargeContents {

    /** Leaves room in an item for audit and evidence. */
    static final int IN_ITEM = 256 * 1024;

    private static final int PART = 380 * 1024;

    /** As many parts as a caller may wait for; more is no response but a file. */
    private static final int MOST = 64;

    private final Table table;

    LargeContents(Table table) {
        this.table = table;
    }

    private static String key(Identity identity, Item.Parts parts, int number) {
        return Attributes.key(identity) + "\n" + parts.token() + "\n" + number;
    }

    /** What of a record can be large: the response of a completed one, the steps of every other. */
    private static byte[] contents(StoredRecord record) {
        Response response = record.response();
        return response == null ? record.steps().bytes() : response.bytes();
    }

    /** The item as it can be written: contents that are too large for it are written apart. */
    CompletableFuture<Item> separate(Item item) {
        StoredRecord record = item.record();
        byte[] contents = record == null ? new byte[0] : contents(record);
        if (record == null || item.parts() != null || contents.length <= IN_ITEM) {
            return CompletableFuture.completedFuture(item);
        }
        int count = (contents.length + PART - 1) / PART;
        if (count > MOST) {
            return CompletableFuture.failedFuture(new StoreException("a response or the steps of an attempt have "
                    + contents.length + " bytes, more than the " + MOST * PART
                    + " that DynamoDB keeps of one record: lower the largest response that the transport records"));
        }
        Item.Parts parts = new Item.Parts(item.token(), count);
        Instant until = record.state() == State.COMPLETED ? record.times().expiresAt() : null;
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] part = Arrays.copyOfRange(contents, i * PART, Math.min((i + 1) * PART, contents.length));
            writes.add(table.putPart(key(item.identity(), parts, i), part, until));
        }
        return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).thenApply(done -> item.inParts(parts));
    }

    /** What was found, with all of its contents, wherever they are. */
    CompletableFuture<Found> whole(Found found) {
        Item item = found.item();
        StoredRecord record = item == null ? null : item.record();
        Item.Parts parts = item == null ? null : item.parts();
        if (item == null || parts == null || record == null) {
            return CompletableFuture.completedFuture(found);
        }
        List<CompletableFuture<byte @Nullable []>> reads = IntStream.range(0, parts.count())
                .mapToObj(number -> table.getPart(key(item.identity(), parts, number)))
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (CompletableFuture<byte @Nullable []> read : reads) {
                byte[] part = read.join();
                if (part == null) {
                    return again(item);
                }
                bytes.writeBytes(part);
            }
            return CompletableFuture.completedFuture(
                    new Found(item.with(whole(record, bytes.toByteArray())), found.at()));
        });
    }

    private static StoredRecord whole(StoredRecord record, byte[] bytes) {
        return record.state() == State.COMPLETED
                ? record.withResponse(Response.of(bytes))
                : Attributes.withSteps(record, Steps.of(bytes));
    }

    /** A part is gone: the record must have been changed since it was read. */
    private CompletableFuture<Found> again(Item item) {
        return table.get(item.identity()).thenCompose(found -> {
            Item now = found.item();
            if (now != null && now.fence() == item.fence() && now.version() == item.version()) {
                return CompletableFuture.failedFuture(new StoreException("a part of the record of " + item.identity()
                        + " is missing in DynamoDB: another program has deleted it. Restore the item from a backup."));
            }
            return whole(found);
        });
    }

    /** Deletes the parts that an item had and the next one does not name; what is not deleted takes space and does no harm. */
    CompletableFuture<Void> delete(@Nullable Item before, @Nullable Item after) {
        Item.Parts parts = before == null ? null : before.parts();
        if (before == null || parts == null || (after != null && parts.equals(after.parts()))) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.allOf(IntStream.range(0, parts.count())
                        .mapToObj(number -> table.deletePart(key(before.identity(), parts, number)))
                        .toArray(CompletableFuture[]::new))
                .exceptionally(fault -> null);
    }
}
