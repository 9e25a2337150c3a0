package dev.semel.dynamodb;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("DynamoDB: I2, fences over deletion")
class DynamoFenceTest {

    private final DynamoHarness harness = new DynamoHarness();
    private final DynamoStore store = (DynamoStore) harness.store();

    @AfterEach
    void close() {
        harness.close();
    }

    private Lease granted(String key) {
        return ((ClaimAnswer.Granted) await(store.claim(request(key)))).lease();
    }

    @Test
    @DisplayName("a record that is deleted soon after its claim leaves its fence, for a process whose clock is behind")
    void deleted_soon() {
        DynamoStore other = (DynamoStore) harness.another();
        Lease first = granted("k");
        await(store.settle(first, completed("done"), Duration.ofDays(1)));
        store.forget(first, new Evidence("person:alice", "ticket 7"));
        assertThat(store.prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(await(store.find(id("k")))).isEmpty();
        assertThat(store.history(id("k"))).isEmpty();
        assertThat(store.sample(10)).isEmpty();
        assertThat(store.search(RecordSearch.newest(RecordSearch.Filter.ALL, 10))
                        .records())
                .isEmpty();
        assertThat(store.prune(10, Expiry.DELETE)).isZero();
        // Time stands still here: only what was left of the record tells the other process of its fence.
        Lease second = ((ClaimAnswer.Granted) await(other.claim(request("k")))).lease();
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(await(store.settle(first, completed("stale"), Duration.ofDays(1))))
                .isInstanceOf(SettleAnswer.Refused.class);
    }

    @Test
    @DisplayName("what is left of a deleted record ends by TTL, longer after it than a request can be delayed")
    void remains() {
        Lease lease = granted("k");
        await(store.settle(lease, completed("done"), Duration.ofDays(1)));
        store.forget(lease, new Evidence("person:alice", "ticket 7"));
        store.prune(10, Expiry.DELETE);
        Map<String, AttributeValue> left = harness.client()
                .getItem(request -> request.tableName(harness.table())
                        .key(Map.of("pk", AttributeValue.fromS("acme\nk")))
                        .consistentRead(true))
                .join()
                .item();
        assertThat(left).containsOnlyKeys("pk", "f", "v", "w", "da", "ttl");
        assertThat(Long.parseLong(left.get("ttl").n()))
                .isGreaterThanOrEqualTo(
                        harness.time().instant().plus(Duration.ofMinutes(15)).getEpochSecond());
    }

    @Test
    @DisplayName("fences rise when DynamoDB itself has deleted the item")
    void deleted_by_ttl() {
        Lease first = granted("k");
        await(store.settle(first, completed("done"), Duration.ofMinutes(1)));
        harness.elapse(Duration.ofMinutes(30));
        harness.client()
                .deleteItem(request ->
                        request.tableName(harness.table()).key(Map.of("pk", AttributeValue.fromS("acme\nk"))))
                .join();
        assertThat(granted("k").fence()).isGreaterThan(first.fence());
    }

    @Test
    @DisplayName("the parts of a large response are deleted with its record")
    void parts() {
        await(store.settle(granted("k"), completed("x".repeat(700_000)), Duration.ofMinutes(1)));
        assertThat(items()).isEqualTo(3 + 1);
        assertThat(await(store.claim(request("k")))).isInstanceOfSatisfying(ClaimAnswer.Recorded.class, recorded -> {
            assertThat(recorded.record().response()).isEqualTo(StoreVerbs.response("x".repeat(700_000)));
        });
        harness.elapse(Duration.ofMinutes(30));
        assertThat(store.prune(10, Expiry.DELETE)).isEqualTo(1);
        assertThat(items()).as("the layout, and what is left of the record").isEqualTo(2);
    }

    private int items() {
        return harness.client()
                .scan(request -> request.tableName(harness.table()).consistentRead(true))
                .join()
                .count();
    }
}
