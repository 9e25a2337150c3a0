package dev.semel.dynamodb.table;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.items.Codes;
import dev.semel.items.Futures;
import dev.semel.items.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Reads over the whole table, in no order and page by page, with a limit to what they read. For what operators and pruning look
 * for among settled records, which are in no index: an index would make every settlement dearer, and DynamoDB deletes them itself.
 */
final class TableScan {

    private final Table table;
    private Map<String, AttributeValue> pruneFrom = Map.of();

    public TableScan(Table table) {
        this.table = table;
    }

    /** How far a scan went. */
    public record Extent(int examined, Map<String, AttributeValue> next) {

        public boolean isComplete() {
            return next.isEmpty();
        }
    }

    /** The identities of so many records. */
    public List<Identity> sample(int limit) {
        List<Identity> identities = new ArrayList<>();
        ScanRequest request = records(List.of(Attributes.KEY)).build();
        scan(
                request,
                Map.of(),
                Integer.MAX_VALUE,
                item -> identities.add(Attributes.identity(
                        Objects.requireNonNull(item.get(Attributes.KEY)).s())),
                () -> identities.size() >= limit);
        return identities.subList(0, Math.min(limit, identities.size()));
    }

    /** The records, without responses, steps and audit, among so many items. */
    public Extent summaries(int most, Consumer<Item> consumer) {
        ScanRequest request = records(Attributes.SUMMARY).consistentRead(true).build();
        return scan(request, Map.of(), most, item -> consumer.accept(Attributes.read(item)), () -> false);
    }

    private record Expired(String key, long at) {}

    /**
     * Records past their retention, oldest first, among so many items. The next call goes on where this one had to
     * stop.
     */
    public synchronized List<Identity> expired(Instant now, Expiry expiry, int most) {
        List<Expired> found = new ArrayList<>();
        Map<String, String> names =
                new HashMap<>(Map.of("#x", Attributes.EXPIRES, "#pk", Attributes.KEY, "#op", Attributes.OPERATION));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":now", Attributes.time(now)));
        String filter = "attribute_exists(#op) AND #x <= :now";
        if (expiry == Expiry.MARK) {
            names.put("#s", Attributes.STATE);
            values.put(":marked", Attributes.number(Codes.code(State.EXPIRED)));
            filter += " AND #s <> :marked";
        }
        ScanRequest request = ScanRequest.builder()
                .tableName(table.name())
                .filterExpression(filter)
                .projectionExpression("#pk, #x")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        Extent extent = scan(
                request,
                pruneFrom,
                most,
                item -> found.add(new Expired(
                        Objects.requireNonNull(item.get(Attributes.KEY)).s(),
                        Long.parseLong(Objects.requireNonNull(item.get(Attributes.EXPIRES))
                                .n()))),
                () -> false);
        pruneFrom = extent.next();
        return found.stream()
                .sorted(Comparator.comparingLong(Expired::at))
                .map(expired -> Attributes.identity(expired.key()))
                .toList();
    }

    private ScanRequest.Builder records(List<String> attributes) {
        Map<String, String> names = new HashMap<>();
        List<String> projection = new ArrayList<>();
        for (int i = 0; i < attributes.size(); i++) {
            names.put("#a" + i, attributes.get(i));
            projection.add("#a" + i);
        }
        names.put("#op", Attributes.OPERATION);
        return ScanRequest.builder()
                .tableName(table.name())
                .filterExpression("attribute_exists(#op)")
                .projectionExpression(String.join(", ", projection))
                .expressionAttributeNames(names);
    }

    private Extent scan(
            ScanRequest request,
            Map<String, AttributeValue> from,
            int most,
            Consumer<Map<String, AttributeValue>> consumer,
            BooleanSupplier enough) {
        int examined = 0;
        Map<String, AttributeValue> next = from;
        do {
            ScanRequest page = next.isEmpty()
                    ? request.toBuilder().limit(most - examined).build()
                    : request.toBuilder()
                            .limit(most - examined)
                            .exclusiveStartKey(next)
                            .build();
            var answer = Futures.await(table.calls().call(() -> table.client().scan(page), response -> response));
            answer.value().items().forEach(consumer);
            examined += answer.value().scannedCount();
            next = answer.value().hasLastEvaluatedKey() ? answer.value().lastEvaluatedKey() : Map.of();
        } while (!next.isEmpty() && examined < most && !enough.getAsBoolean());
        return new Extent(examined, next);
    }
}
