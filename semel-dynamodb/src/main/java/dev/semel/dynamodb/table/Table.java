package dev.semel.dynamodb.table;

import dev.semel.Identity;
import dev.semel.items.Item;
import dev.semel.items.Item.Remains;
import dev.semel.items.ItemTable;
import dev.semel.spi.Transitions.Deleted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** The items of records: consistent reads, and writes on the condition that an item is as it was seen. */
public final class Table implements ItemTable {

    /** What DynamoDB reads in one batch. */
    static final int BATCH = 100;

    private static final String ABSENT = "attribute_not_exists(" + Attributes.KEY + ")";
    private static final String UNCHANGED = Attributes.FENCE + " = :f AND " + Attributes.VERSION + " = :v";

    /** Stands for an item that was written: a write answers with nothing. */
    private static final Map<String, AttributeValue> WRITTEN = Map.of(Attributes.KEY, Attributes.text(""));

    private static final String PART = "b";

    /** DynamoDB deletes in any order: a record never outlives a part of its response. */
    private static final Duration PART_GRACE = Duration.ofDays(7);

    private final DynamoDbAsyncClient client;
    private final String name;
    private final Attributes attributes;
    private final ServiceClock clock;
    private final Calls calls;
    private final LargeContents contents;

    public Table(DynamoDbAsyncClient client, String name, Attributes attributes, ServiceClock clock) {
        this.client = client;
        this.name = name;
        this.attributes = attributes;
        this.clock = clock;
        this.calls = new Calls(clock);
        this.contents = new LargeContents(this);
    }

    DynamoDbAsyncClient client() {
        return client;
    }

    String name() {
        return name;
    }

    Attributes attributes() {
        return attributes;
    }

    ServiceClock clock() {
        return clock;
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public Deleted deleted(@Nullable Item item, Instant now) {
        return attributes.deleted(item, now);
    }

    @Override
    public Remains remains(Item item, Instant now) {
        return attributes.remains(item, now);
    }

    @Override
    public CompletableFuture<Item> separate(Item item) {
        return contents.separate(item);
    }

    @Override
    public CompletableFuture<Found> whole(Found found) {
        return contents.whole(found);
    }

    @Override
    public CompletableFuture<Void> discard(@Nullable Item before, @Nullable Item after) {
        return contents.delete(before, after);
    }

    Calls calls() {
        return calls;
    }

    private static Map<String, AttributeValue> keyOf(String key) {
        return Map.of(Attributes.KEY, Attributes.text(key));
    }

    @Override
    public CompletableFuture<Found> get(Identity identity) {
        GetItemRequest request = GetItemRequest.builder()
                .tableName(name)
                .key(keyOf(Attributes.key(identity)))
                .consistentRead(true)
                .build();
        return calls.call(
                        () -> client.getItem(request),
                        response -> response.hasItem() ? response.item() : Map.<String, AttributeValue>of())
                .thenApply(answer -> new Found(read(answer.value()), answer.at()));
    }

    private static @Nullable Item read(Map<String, AttributeValue> values) {
        return values.isEmpty() ? null : Attributes.read(values);
    }

    @Override
    public CompletableFuture<Outcome> put(@Nullable Item expected, Item next) {
        PutItemRequest.Builder request = PutItemRequest.builder()
                .tableName(name)
                .item(attributes.of(next, clock.now()))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        if (expected == null) {
            request.conditionExpression(ABSENT);
        } else {
            request.conditionExpression(UNCHANGED).expressionAttributeValues(stateOf(expected));
        }
        PutItemRequest built = request.build();
        return calls.call(() -> client.putItem(built), response -> WRITTEN, Table::found)
                .thenApply(answer -> outcome(answer, next.token()));
    }

    private static Map<String, AttributeValue> found(ConditionalCheckFailedException refusal) {
        return refusal.hasItem() ? refusal.item() : Map.of();
    }

    private static Map<String, AttributeValue> stateOf(Item item) {
        return Map.of(":f", Attributes.number(item.fence()), ":v", Attributes.number(item.version()));
    }

    /** A refusal may be the answer to a repeated try: the item then has the token of this very write. */
    private static Outcome outcome(Calls.Answer<Map<String, AttributeValue>> answer, long token) {
        if (answer.value() == WRITTEN) {
            return new Outcome(true, new Found(null, answer.at()));
        }
        Item found = read(answer.value());
        return new Outcome(found != null && found.carries(token), new Found(found, answer.at()));
    }

    @Override
    public CompletableFuture<List<Found>> getAll(List<Identity> identities) {
        List<String> keys = identities.stream().map(Attributes::key).toList();
        List<Map<String, AttributeValue>> wanted =
                keys.stream().map(Table::keyOf).toList();
        Map<String, Found> found = new HashMap<>();
        return getAll(wanted, found)
                .thenApply(ignored ->
                        keys.stream().filter(found::containsKey).map(found::get).toList());
    }

    private CompletableFuture<Void> getAll(List<Map<String, AttributeValue>> keys, Map<String, Found> found) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Map<String, AttributeValue>> rest =
                new ArrayList<>(keys.subList(Math.min(BATCH, keys.size()), keys.size()));
        BatchGetItemRequest request = BatchGetItemRequest.builder()
                .requestItems(Map.of(
                        name,
                        KeysAndAttributes.builder()
                                .keys(keys.subList(0, Math.min(BATCH, keys.size())))
                                .consistentRead(true)
                                .build()))
                .build();
        return calls.call(() -> client.batchGetItem(request), response -> response)
                .thenCompose(answer -> {
                    for (Map<String, AttributeValue> values :
                            answer.value().responses().getOrDefault(name, List.of())) {
                        AttributeValue key = values.get(Attributes.KEY);
                        if (key != null) {
                            found.put(key.s(), new Found(Attributes.read(values), answer.at()));
                        }
                    }
                    KeysAndAttributes unprocessed =
                            answer.value().unprocessedKeys().get(name);
                    if (unprocessed != null) {
                        rest.addAll(unprocessed.keys());
                    }
                    return getAll(rest, found);
                });
    }

    /** Writes a part of contents that are too large for an item, which ends after this moment; null is never. */
    CompletableFuture<Void> putPart(String key, byte[] bytes, @Nullable Instant until) {
        Map<String, AttributeValue> part = new HashMap<>(keyOf(key));
        part.put(PART, Attributes.bytes(bytes));
        if (until != null) {
            part.put(
                    Attributes.TTL,
                    Attributes.number(
                            until.plus(Attributes.GRACE).plus(PART_GRACE).getEpochSecond()));
        }
        PutItemRequest request =
                PutItemRequest.builder().tableName(name).item(part).build();
        return calls.call(() -> client.putItem(request), response -> response).thenApply(answer -> null);
    }

    /** Reads a part, consistently; null when it is gone. */
    CompletableFuture<byte @Nullable []> getPart(String key) {
        GetItemRequest request = GetItemRequest.builder()
                .tableName(name)
                .key(keyOf(key))
                .consistentRead(true)
                .build();
        return calls.call(() -> client.getItem(request), response -> response).thenApply(answer -> {
            AttributeValue bytes = answer.value().item().get(PART);
            return bytes == null ? null : bytes.b().asByteArrayUnsafe();
        });
    }

    CompletableFuture<Void> deletePart(String key) {
        DeleteItemRequest request =
                DeleteItemRequest.builder().tableName(name).key(keyOf(key)).build();
        return calls.call(() -> client.deleteItem(request), response -> response)
                .thenApply(answer -> null);
    }
}
