package dev.semel.dynamodb;

import dev.semel.StoreException;
import dev.semel.dynamodb.DynamoFinding.Weight;
import dev.semel.dynamodb.table.Attributes;
import dev.semel.dynamodb.table.Calls;
import dev.semel.dynamodb.table.ServiceClock;
import dev.semel.dynamodb.table.Table;
import dev.semel.engine.NotCreatedException;
import dev.semel.items.Futures;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/** What happens when a store is opened: the table is created and checked, its layout read, and the clock set. */
final class Startup {

    private static final System.Logger LOG = System.getLogger("dev.semel.dynamodb");

    /** Not the key of a record, which has a line feed. */
    private static final String LAYOUT = "semel";

    private static final String FORMAT_ATTRIBUTE = "format";
    private static final String SHARDS_ATTRIBUTE = "shards";
    private static final int FORMAT = 1;

    /** A table is created in some ten seconds. */
    private static final int LOOKS = 120;

    private static final long LOOK_MILLIS = 500;

    /** More answers than the clock needs; if they do not agree by then, they will not. */
    private static final int READINGS = 12;

    private final DynamoDbAsyncClient client;
    private final String name;
    private final DynamoOptions options;
    private final ServiceClock clock;
    private final Calls calls;

    private Startup(DynamoDbAsyncClient client, String name, DynamoOptions options, LongSupplier nanos) {
        this.client = client;
        this.name = name;
        this.options = options;
        this.clock = new ServiceClock(nanos);
        this.calls = new Calls(clock);
    }

    /** Opens a table; creates it if it does not exist and the options say so. */
    static Table table(DynamoDbAsyncClient client, String name, DynamoOptions options, LongSupplier nanos) {
        Startup startup = new Startup(client, name, options, nanos);
        TableCheck check = new TableCheck(client, startup.calls, name);
        if (!check.exists()) {
            startup.create(check);
        }
        startup.accept(check.findings(), true);
        Map<String, AttributeValue> layout = startup.layout();
        return startup.open(layout.isEmpty() ? startup.createLayout() : layout);
    }

    /** Opens the table of a store that was opened before, and writes nothing. */
    static Table existing(DynamoDbAsyncClient client, String name, DynamoOptions options, LongSupplier nanos) {
        Startup startup = new Startup(client, name, options, nanos);
        TableCheck check = new TableCheck(client, startup.calls, name);
        if (!check.exists()) {
            throw startup.notCreated();
        }
        startup.accept(check.findings(), false);
        Map<String, AttributeValue> layout = startup.layout();
        if (layout.isEmpty()) {
            throw new NotCreatedException("the table " + name + " in DynamoDB has not been used by a store yet");
        }
        return startup.open(layout);
    }

    private Table open(Map<String, AttributeValue> layout) {
        int format = number(layout, FORMAT_ATTRIBUTE);
        if (format != FORMAT) {
            throw new StoreException("the table " + name + " has the format " + format
                    + ", but this release reads only format " + FORMAT + ": use a newer release of Semel");
        }
        setClock();
        return new Table(
                client,
                name,
                new Attributes(number(layout, SHARDS_ATTRIBUTE), options.keepMarked(), options.tombstones()),
                clock);
    }

    private NotCreatedException notCreated() {
        return new NotCreatedException("there is no table " + name
                + " in DynamoDB: create it as semel schema dynamodb says, or set schemaMode=create");
    }

    private void create(TableCheck check) {
        if (!options.create()) {
            throw notCreated();
        }
        check.create();
        for (int look = 0; look < LOOKS && check.status() != TableStatus.ACTIVE; look++) {
            Futures.await(calls.pause(LOOK_MILLIS));
        }
        check.enableTtl();
    }

    private void accept(List<DynamoFinding> findings, boolean warn) {
        refuse(findings, Weight.BROKEN, "");
        if (!options.acceptUnsafeDurability()) {
            refuse(findings, Weight.UNSAFE, ", or accept the loss with acceptUnsafeDurability=true");
        }
        findings.stream()
                .filter(finding -> warn && finding.weight() != Weight.FINE)
                .forEach(finding ->
                        LOG.log(System.Logger.Level.WARNING, "{0}: {1}; {2}", name, finding.what(), finding.advice()));
    }

    private static void refuse(List<DynamoFinding> findings, Weight weight, String otherwise) {
        String refused = findings.stream()
                .filter(finding -> finding.weight() == weight)
                .map(finding -> finding.what() + ": " + finding.advice())
                .collect(Collectors.joining("; "));
        if (!refused.isEmpty()) {
            throw new StoreException(refused + otherwise);
        }
    }

    private static int number(Map<String, AttributeValue> layout, String attribute) {
        AttributeValue value = layout.get(attribute);
        if (value == null || value.n() == null) {
            throw new StoreException("the item " + LAYOUT + " of the table lacks " + attribute
                    + ": another program has written to it. Restore the item from a backup.");
        }
        return Integer.parseInt(value.n());
    }

    private Map<String, AttributeValue> layout() {
        GetItemRequest request = GetItemRequest.builder()
                .tableName(name)
                .key(Map.of(Attributes.KEY, AttributeValue.fromS(LAYOUT)))
                .consistentRead(true)
                .build();
        return Futures.await(calls.call(
                        () -> client.getItem(request),
                        response -> response.hasItem() ? response.item() : Map.<String, AttributeValue>of()))
                .value();
    }

    private Map<String, AttributeValue> createLayout() {
        Map<String, AttributeValue> layout = Map.of(
                Attributes.KEY,
                AttributeValue.fromS(LAYOUT),
                FORMAT_ATTRIBUTE,
                AttributeValue.fromN(Integer.toString(FORMAT)),
                SHARDS_ATTRIBUTE,
                AttributeValue.fromN(Integer.toString(options.shards())));
        PutItemRequest request = PutItemRequest.builder()
                .tableName(name)
                .item(layout)
                .conditionExpression("attribute_not_exists(" + Attributes.KEY + ")")
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        return Futures.await(calls.call(() -> client.putItem(request), response -> layout, refusal -> refusal.item()))
                .value();
    }

    private void setClock() {
        for (int reading = 0; reading < READINGS && !clock.isSet(); reading++) {
            layout();
        }
        if (!clock.isSet()) {
            throw new StoreException("the Date headers of the endpoint's answers contradict each other by more than "
                    + ServiceClock.TOLERANCE.toSeconds()
                    + " seconds: the store cannot tell the time. Look for a proxy that"
                    + " caches answers.");
        }
    }
}
