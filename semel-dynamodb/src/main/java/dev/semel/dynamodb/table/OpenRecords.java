package dev.semel.dynamodb.table;

import dev.semel.Identity;
import dev.semel.items.Codes;
import dev.semel.items.Futures;
import dev.semel.items.ItemIndex.Candidates;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * A walk through the index of open records, oldest first over all shards. The index may lag behind the table: what it names is
 * read from the table before anything is decided.
 */
final class OpenRecords implements Candidates {

    private static final int PAGE = 1000;

    private final Table table;
    private final char kind;
    private final @Nullable Long until;
    private final @Nullable String operation;
    private final int page;
    private final List<Shard> shards;

    private OpenRecords(Table table, char kind, @Nullable Long until, @Nullable String operation, int page) {
        this.table = table;
        this.kind = kind;
        this.until = until;
        this.operation = operation;
        this.page = page;
        this.shards = IntStream.range(0, table.attributes().shards())
                .mapToObj(Shard::new)
                .toList();
    }

    /** Records in progress whose lease may have expired. */
    public static OpenRecords expired(Table table, int wanted) {
        return new OpenRecords(table, 'l', Codes.micros(table.clock().now()), null, pageOf(wanted));
    }

    /** Unknown records of an operation that may be due. */
    public static OpenRecords due(Table table, String operation) {
        return new OpenRecords(table, 'u', Codes.micros(table.clock().now()), operation, PAGE);
    }

    /** All unknown records, of one operation if wanted. */
    public static OpenRecords unknown(Table table, @Nullable String operation) {
        return new OpenRecords(table, 'u', null, operation, PAGE);
    }

    private static int pageOf(int wanted) {
        return Math.min(PAGE, Math.max(1, wanted));
    }

    private record Entry(String key, long at) {}

    /** What is known of one shard so far. */
    private final class Shard {

        private final int number;
        private final Deque<Entry> entries = new ArrayDeque<>();
        private Map<String, AttributeValue> next = Map.of();
        private boolean complete;

        Shard(int number) {
            this.number = number;
        }

        boolean isWaiting() {
            return entries.isEmpty() && !complete;
        }

        CompletableFuture<Void> read() {
            Map<String, String> names = new HashMap<>(Map.of("#q", Attributes.QUEUE));
            Map<String, AttributeValue> values =
                    new HashMap<>(Map.of(":q", Attributes.text(Attributes.queue(kind, number))));
            QueryRequest.Builder request = QueryRequest.builder()
                    .tableName(table.name())
                    .indexName(RecordIndex.NAME)
                    .limit(page)
                    .keyConditionExpression(until == null ? "#q = :q" : "#q = :q AND #t <= :t");
            if (until != null) {
                names.put("#t", Attributes.AT);
                values.put(":t", Attributes.number(until));
            }
            if (operation != null) {
                names.put("#op", Attributes.OPERATION);
                values.put(":op", Attributes.text(operation));
                request.filterExpression("#op = :op");
            }
            if (!next.isEmpty()) {
                request.exclusiveStartKey(next);
            }
            QueryRequest built = request.expressionAttributeNames(names)
                    .expressionAttributeValues(values)
                    .build();
            return table.calls()
                    .call(() -> table.client().query(built), response -> response)
                    .thenAccept(answer -> {
                        answer.value().items().forEach(item -> entries.add(entry(item)));
                        next = answer.value().hasLastEvaluatedKey()
                                ? answer.value().lastEvaluatedKey()
                                : Map.of();
                        complete = next.isEmpty();
                    });
        }
    }

    private static Entry entry(Map<String, AttributeValue> item) {
        return new Entry(
                Objects.requireNonNull(item.get(Attributes.KEY)).s(),
                Long.parseLong(Objects.requireNonNull(item.get(Attributes.AT)).n()));
    }

    @Override
    public List<Identity> next(int most) {
        List<Identity> keys = new ArrayList<>();
        while (keys.size() < most) {
            fill();
            Shard oldest = shards.stream()
                    .filter(shard -> !shard.entries.isEmpty())
                    .min(Comparator.comparingLong(shard ->
                            Objects.requireNonNull(shard.entries.peek()).at()))
                    .orElse(null);
            if (oldest == null) {
                return keys;
            }
            keys.add(Attributes.identity(
                    Objects.requireNonNull(oldest.entries.poll()).key()));
        }
        return keys;
    }

    /** The identities of all records that are left. */
    public List<Identity> identities() {
        return next(Integer.MAX_VALUE);
    }

    private void fill() {
        List<Shard> waiting = shards.stream().filter(Shard::isWaiting).toList();
        while (!waiting.isEmpty()) {
            Futures.await(
                    CompletableFuture.allOf(waiting.stream().map(Shard::read).toArray(CompletableFuture[]::new)));
            waiting = waiting.stream().filter(Shard::isWaiting).toList();
        }
    }
}
