package dev.semel.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.dynamodb.DynamoFinding.Weight;
import dev.semel.engine.NotCreatedException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@DisplayName("DynamoDB: settings that lose records")
class DynamoDoctorTest {

    /** What the service says of the table, as a test wants it: DynamoDB Local has no global tables. */
    private static final class Described implements ExecutionInterceptor {

        private volatile UnaryOperator<TableDescription> change = UnaryOperator.identity();

        @Override
        public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
            return context.response() instanceof DescribeTableResponse described
                    ? described.toBuilder()
                            .table(change.apply(described.table()))
                            .build()
                    : context.response();
        }
    }

    private final Described described = new Described();
    private final DynamoDbAsyncClient client = DynamoHarness.client(described);
    private final String table = DynamoServer.newTable();

    @AfterEach
    void close() {
        client.close();
    }

    private void create(boolean ttl, String ttlAttribute) {
        client.createTable(DynamoTable.definition(table)).join();
        if (ttl) {
            client.updateTimeToLive(request -> request.tableName(table)
                            .timeToLiveSpecification(spec -> spec.enabled(true).attributeName(ttlAttribute)))
                    .join();
        }
    }

    private List<DynamoFinding> findings(Weight weight) {
        return DynamoDoctor.examine(client, table).stream()
                .filter(finding -> finding.weight() == weight)
                .toList();
    }

    private void assertRefused(DynamoOptions options, String why) {
        assertThatThrownBy(() -> DynamoStore.on(client, table, options))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(why);
    }

    @Test
    @DisplayName("the table that the store itself creates is fine, but for what DynamoDB Local cannot do")
    void created() {
        DynamoStore.on(client, table, DynamoOptions.DEFAULT);
        assertThat(findings(Weight.FINE)).extracting(DynamoFinding::what).contains("TTL deletes settled records");
        assertThat(findings(Weight.UNSAFE)).isEmpty();
        assertThat(findings(Weight.BROKEN)).isEmpty();
        assertThat(findings(Weight.NOTE))
                .singleElement()
                .satisfies(note -> assertThat(note.what()).contains("point-in-time recovery"));
    }

    @Test
    @DisplayName("without a table the store starts only where it may create one")
    void absent() {
        assertThatThrownBy(() -> DynamoStore.on(client, table, DynamoOptions.DEFAULT.withCreate(false)))
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("semel schema dynamodb");
        assertThat(findings(Weight.NOTE))
                .singleElement()
                .satisfies(note -> assertThat(note.what()).contains("there is no table"));
    }

    @Test
    @DisplayName("TTL on another attribute is refused: DynamoDB would delete open records")
    void wrong_ttl() {
        create(true, "t");
        assertThat(findings(Weight.UNSAFE)).hasSize(1);
        assertRefused(DynamoOptions.DEFAULT, "TTL goes by the attribute t");
        DynamoStore.on(client, table, DynamoOptions.DEFAULT.withAcceptUnsafeDurability(true));
    }

    @Test
    @DisplayName("TTL that is off is explained")
    void no_ttl() {
        create(false, "");
        assertThat(findings(Weight.NOTE)).extracting(DynamoFinding::what).anyMatch(what -> what.contains("TTL is off"));
        DynamoStore.on(client, table, DynamoOptions.DEFAULT);
    }

    @Test
    @DisplayName("a global table is refused, unless its regions agree on every write")
    void global_table() {
        create(true, DynamoTable.TTL_ATTRIBUTE);
        ReplicaDescription replica =
                ReplicaDescription.builder().regionName("eu-west-1").build();
        described.change = one -> one.toBuilder().replicas(replica).build();
        assertRefused(DynamoOptions.DEFAULT, "global table with eventual consistency");
        described.change = one -> one.toBuilder()
                .replicas(replica)
                .multiRegionConsistency(MultiRegionConsistency.STRONG)
                .build();
        DynamoStore.on(client, table, DynamoOptions.DEFAULT);
    }

    @Test
    @DisplayName("a table with other keys or without the index is refused, whatever is accepted")
    void broken() {
        create(true, DynamoTable.TTL_ATTRIBUTE);
        DynamoOptions accepting = DynamoOptions.DEFAULT.withAcceptUnsafeDurability(true);
        described.change =
                one -> one.toBuilder().globalSecondaryIndexes(List.of()).build();
        assertRefused(accepting, "the index semel-open is missing");
        described.change =
                one -> one.toBuilder().keySchema(DynamoTable.indexKeys()).build();
        assertRefused(accepting, "another key");
    }

    @Test
    @DisplayName("the number of shards is that of the first start")
    void shards() {
        DynamoStore.on(client, table, DynamoOptions.DEFAULT.withShards(3));
        DynamoStore other = DynamoStore.on(client, table, DynamoOptions.DEFAULT.withShards(7));
        assertThat(other.sweep(1)).isEmpty();
        assertThat(client.scan(request -> request.tableName(table)).join().items())
                .singleElement()
                .satisfies(layout -> assertThat(layout.get("shards").n()).isEqualTo("3"));
    }
}
