package dev.semel.dynamodb;

import dev.semel.StoreException;
import dev.semel.dynamodb.DynamoFinding.Weight;
import dev.semel.dynamodb.table.Attributes;
import dev.semel.dynamodb.table.Calls;
import dev.semel.dynamodb.table.RecordIndex;
import dev.semel.items.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.PointInTimeRecoveryStatus;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Looks at the settings of a table. */
final class TableCheck {

    private final DynamoDbAsyncClient client;
    private final Calls calls;
    private final String name;

    TableCheck(DynamoDbAsyncClient client, Calls calls, String name) {
        this.client = client;
        this.calls = calls;
        this.name = name;
    }

    /** The table, or null if there is none. */
    private @Nullable TableDescription describe() {
        try {
            return Futures.await(calls.call(() -> client.describeTable(request -> request.tableName(name)), r -> r))
                    .value()
                    .table();
        } catch (StoreException e) {
            if (e.getCause() instanceof ResourceNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    boolean exists() {
        return describe() != null;
    }

    @Nullable
    TableStatus status() {
        TableDescription table = describe();
        return table == null ? null : table.tableStatus();
    }

    /** Creates the table; another process may do the same at the same time. */
    void create() {
        try {
            Futures.await(calls.call(() -> client.createTable(DynamoTable.definition(name)), r -> r));
        } catch (StoreException e) {
            if (!(e.getCause() instanceof ResourceInUseException)) {
                throw e;
            }
        }
    }

    /** Lets DynamoDB delete settled records; where that is refused, pruning has to, and a finding says so. */
    void enableTtl() {
        optional(() -> client.updateTimeToLive(request -> request.tableName(name)
                .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(DynamoTable.TTL_ATTRIBUTE))));
    }

    /** What was found, good and bad. */
    List<DynamoFinding> findings() {
        TableDescription table = describe();
        if (table == null) {
            return List.of(
                    new DynamoFinding(Weight.NOTE, "there is no table " + name, "it is created when the store starts"));
        }
        List<DynamoFinding> findings = new ArrayList<>();
        findings.add(keys(table));
        findings.add(index(table));
        findings.add(regions(table));
        findings.add(ttl());
        findings.add(recovery());
        return findings;
    }

    private DynamoFinding keys(TableDescription table) {
        List<KeySchemaElement> expected = List.of(KeySchemaElement.builder()
                .attributeName(Attributes.KEY)
                .keyType(KeyType.HASH)
                .build());
        return table.keySchema().equals(expected)
                ? DynamoFinding.fine("the table has the key of a store")
                : broken("the table has another key than " + Attributes.KEY
                        + " alone, so it is not the table of a store");
    }

    private static DynamoFinding index(TableDescription table) {
        Optional<GlobalSecondaryIndexDescription> index = table.globalSecondaryIndexes().stream()
                .filter(one -> one.indexName().equals(RecordIndex.NAME))
                .findFirst();
        if (index.isEmpty()) {
            return broken("the index " + RecordIndex.NAME + " is missing, so expired leases would not be found");
        }
        return index.get().keySchema().equals(DynamoTable.indexKeys())
                ? DynamoFinding.fine("the index of open records is there")
                : broken("the index " + RecordIndex.NAME + " has other keys than a store needs");
    }

    private static DynamoFinding broken(String what) {
        return new DynamoFinding(Weight.BROKEN, what, "create the table as semel schema dynamodb says");
    }

    /** A replica of another region decides by itself unless regions agree on each write: two claims could both be granted. */
    private static DynamoFinding regions(TableDescription table) {
        if (!table.hasReplicas() || table.replicas().isEmpty()) {
            return DynamoFinding.fine("the table is in one region");
        }
        return table.multiRegionConsistency() == MultiRegionConsistency.STRONG
                ? DynamoFinding.fine("the table is in several regions, with strong consistency")
                : new DynamoFinding(
                        Weight.UNSAFE,
                        "the table is a global table with eventual consistency: claims of one key in two regions can both be"
                                + " granted, and a later write of one region replaces that of another",
                        "use a table of one region, or a global table with multi-Region strong consistency");
    }

    private DynamoFinding ttl() {
        DescribeTimeToLiveResponse response =
                optional(() -> client.describeTimeToLive(request -> request.tableName(name)));
        if (response == null || response.timeToLiveDescription() == null) {
            return new DynamoFinding(
                    Weight.NOTE, "the TTL of the table cannot be read", "allow dynamodb:DescribeTimeToLive");
        }
        TimeToLiveStatus status = response.timeToLiveDescription().timeToLiveStatus();
        if (status != TimeToLiveStatus.ENABLED && status != TimeToLiveStatus.ENABLING) {
            return new DynamoFinding(
                    Weight.NOTE,
                    "TTL is off: DynamoDB deletes neither settled records nor what pruning leaves of them",
                    "enable TTL on the attribute " + DynamoTable.TTL_ATTRIBUTE);
        }
        String attribute = response.timeToLiveDescription().attributeName();
        return DynamoTable.TTL_ATTRIBUTE.equals(attribute)
                ? DynamoFinding.fine("TTL deletes settled records")
                : new DynamoFinding(
                        Weight.UNSAFE,
                        "TTL goes by the attribute " + attribute
                                + ", so DynamoDB may delete records that are in progress",
                        "set TTL to the attribute " + DynamoTable.TTL_ATTRIBUTE);
    }

    private DynamoFinding recovery() {
        var response = optional(() -> client.describeContinuousBackups(request -> request.tableName(name)));
        if (response == null
                || response.continuousBackupsDescription() == null
                || response.continuousBackupsDescription().pointInTimeRecoveryDescription() == null) {
            return new DynamoFinding(
                    Weight.NOTE,
                    "point-in-time recovery of the table cannot be read",
                    "allow dynamodb:DescribeContinuousBackups; DynamoDB Local has none");
        }
        PointInTimeRecoveryStatus status = response.continuousBackupsDescription()
                .pointInTimeRecoveryDescription()
                .pointInTimeRecoveryStatus();
        return status == PointInTimeRecoveryStatus.ENABLED
                ? DynamoFinding.fine("point-in-time recovery is on")
                : new DynamoFinding(
                        Weight.NOTE,
                        "point-in-time recovery is off: a table that is deleted or overwritten by mistake is lost",
                        "enable it, and read docs/reference/dynamodb.md before you restore");
    }

    private <R extends software.amazon.awssdk.core.SdkResponse> @Nullable R optional(
            Supplier<CompletableFuture<R>> call) {
        try {
            return Futures.await(calls.call(call, response -> response)).value();
        } catch (StoreException e) {
            return null;
        }
    }
}
