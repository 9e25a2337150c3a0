package dev.semel.dynamodb;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Lease;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

@DisplayName("DynamoDB: what requests cost")
class DynamoCostTest {

    /** Asks the service what each write has cost. */
    private static final class Meter implements ExecutionInterceptor {

        private final List<ConsumedCapacity> writes = new CopyOnWriteArrayList<>();
        private final List<String> calls = new CopyOnWriteArrayList<>();

        @Override
        public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
            return context.request() instanceof PutItemRequest put
                    ? put.toBuilder()
                            .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES)
                            .build()
                    : context.request();
        }

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            calls.add(context.request().getClass().getSimpleName());
        }

        @Override
        public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
            SdkResponse response = context.response();
            if (response instanceof PutItemResponse put && put.consumedCapacity() != null) {
                writes.add(put.consumedCapacity());
            }
        }
    }

    private final Meter meter = new Meter();
    private final DynamoDbAsyncClient client = DynamoHarness.client(meter);
    private final String table = DynamoServer.newTable();
    private final DynamoStore store = DynamoStore.on(client, table, DynamoOptions.DEFAULT);

    @AfterEach
    void close() {
        client.close();
    }

    /** A request as the HTTP transport makes it: a digest as fingerprint, and a holder with a description. */
    private static ClaimRequest realistic(String key) {
        return new ClaimRequest(
                id(key),
                "create-payment",
                new Fingerprint("v1:" + "0123456789abcdef".repeat(4)),
                Duration.ofSeconds(30),
                false,
                UUID.randomUUID() + " POST /payments 7f3a");
    }

    private double table(int write) {
        return meter.writes.get(write).table().capacityUnits();
    }

    private double index(int write) {
        return meter.writes.get(write).globalSecondaryIndexes().values().stream()
                .mapToDouble(index -> index.capacityUnits())
                .sum();
    }

    @Test
    @DisplayName("a claim and a settlement are one write each, of one unit in the table and one in the index")
    void units() {
        meter.calls.clear();
        meter.writes.clear();
        String key = UUID.randomUUID().toString();
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(realistic(key)))).lease();
        await(store.settle(lease, completed("x".repeat(200)), Duration.ofDays(1)));
        assertThat(meter.calls).containsExactly("PutItemRequest", "PutItemRequest");
        assertThat(table(0)).as("claim, table").isEqualTo(1.0);
        assertThat(index(0)).as("claim, index").isEqualTo(1.0);
        assertThat(table(1)).as("settlement, table").isEqualTo(1.0);
        assertThat(index(1)).as("settlement, index").isEqualTo(1.0);
    }

    @Test
    @DisplayName("a replay, a refusal and a heartbeat are one call each")
    void calls() {
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
        List<Runnable> verbs = new ArrayList<>();
        verbs.add(() -> await(store.claim(request("k"))));
        verbs.add(() -> await(store.renew(lease, Duration.ofSeconds(30))));
        verbs.add(() -> await(store.step(lease, "reserve", StoreVerbs.response("7"))));
        verbs.add(() -> await(store.settle(lease, completed("done"), Duration.ofDays(1))));
        verbs.add(() -> await(store.claim(request("k"))));
        verbs.add(() -> await(store.claim(request("k").withFingerprint(new Fingerprint("v1:other")))));
        for (Runnable verb : verbs) {
            meter.calls.clear();
            verb.run();
            assertThat(meter.calls).containsExactly("PutItemRequest");
        }
    }

    @Test
    @DisplayName(
            "only settled records have a TTL, after their retention; open ones are in the index, and settled ones are not")
    void ttl() {
        Instant now = Instant.now();
        Lease lease = ((ClaimAnswer.Granted) await(store.claim(request("k")))).lease();
        assertThat(item()).containsKeys("q", "t").doesNotContainKey("ttl");
        await(store.settle(lease, StoreVerbs.unknown(), Duration.ofDays(1)));
        assertThat(item()).containsKeys("q", "t").doesNotContainKey("ttl");
        await(store.settle(lease, completed("late"), Duration.ofDays(1)));
        assertThat(item()).doesNotContainKeys("q", "t").containsKey("ttl");
        assertThat(Long.parseLong(item().get("ttl").n()))
                .isGreaterThan(now.plus(Duration.ofDays(1)).getEpochSecond());
    }

    private Map<String, AttributeValue> item() {
        return client.scan(request -> request.tableName(table)).join().items().stream()
                .filter(item -> item.containsKey("op"))
                .findFirst()
                .orElseThrow();
    }
}
