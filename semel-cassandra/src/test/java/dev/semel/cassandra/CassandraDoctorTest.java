package dev.semel.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.StoreException;
import dev.semel.cassandra.CassandraFinding.Weight;
import dev.semel.engine.NotCreatedException;
import dev.semel.testsupport.servers.CassandraCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Cassandra: what is refused at the start, and what the doctor says")
class CassandraDoctorTest {

    private static final CassandraOptions STRICT = CassandraServers.OPTIONS.withAcceptUnsafeDurability(false);

    private final CqlSession session = CassandraServers.session();

    private static List<String> unsafe(CqlSession session, String keyspace, String table, CassandraOptions options) {
        return CassandraDoctor.examine(session, keyspace, table, options).stream()
                .filter(finding -> finding.weight() == Weight.UNSAFE || finding.weight() == Weight.BROKEN)
                .map(CassandraFinding::what)
                .toList();
    }

    @Test
    @DisplayName("SimpleStrategy, one replica and volatile writes are refused, each with what would be right")
    void replication() {
        CassandraServers.ddl(
                session,
                "CREATE KEYSPACE IF NOT EXISTS careless WITH replication = {'class': 'SimpleStrategy',"
                        + " 'replication_factor': 1} AND durable_writes = false");
        assertThat(unsafe(session, "careless", "semel_records", STRICT))
                .satisfiesExactly(
                        one -> assertThat(one).contains("SimpleStrategy"),
                        two -> assertThat(two).contains("1 replicas"),
                        three -> assertThat(three).contains("durable_writes"));
        assertThatThrownBy(() -> CassandraStore.on(session, "careless", "semel_records", STRICT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("NetworkTopologyStrategy")
                .hasMessageContaining("use 3 replicas")
                .hasMessageContaining("acceptUnsafeDurability=true");
    }

    @Test
    @DisplayName("deciding in one data center of two is refused")
    void consistency() {
        CassandraServers.ddl(
                session,
                "CREATE KEYSPACE IF NOT EXISTS divided WITH replication = {'class': 'NetworkTopologyStrategy', '"
                        + CassandraCluster.DATACENTER + "': 3}");
        assertThat(unsafe(session, "divided", "none", STRICT.withConsistency(Consistency.LOCAL)))
                .isEmpty();
        assertThat(SchemaCheck.dataCenters(Map.of("one", "3", "two", "3"), Consistency.LOCAL))
                .extracting(CassandraFinding::weight)
                .contains(Weight.UNSAFE);
        assertThat(SchemaCheck.dataCenters(Map.of("one", "3", "two", "3"), Consistency.GLOBAL))
                .extracting(CassandraFinding::weight)
                .containsOnly(Weight.FINE);
    }

    @Test
    @DisplayName("clocks of nodes that differ are named")
    void skew() {
        assertThat(SchemaCheck.skew(Duration.ofMillis(20)).weight()).isEqualTo(Weight.FINE);
        assertThat(SchemaCheck.skew(Duration.ofSeconds(2)).weight()).isEqualTo(Weight.NOTE);
        assertThat(SchemaCheck.skew(Duration.ofHours(1)))
                .satisfies(finding -> assertThat(finding.weight()).isEqualTo(Weight.UNSAFE))
                .satisfies(finding -> assertThat(finding.advice()).contains("NTP"));
    }

    @Test
    @DisplayName("a table that deletes open records, or that is another's, is refused")
    void table() {
        new CassandraHarness().close();
        CassandraServers.ddl(session, "CREATE TABLE IF NOT EXISTS semel.other (id int PRIMARY KEY)");
        assertThat(unsafe(session, "semel", "other", STRICT)).anyMatch(what -> what.contains("not that of a store"));
        assertThatThrownBy(() -> CassandraStore.on(session, "semel", "other", CassandraServers.OPTIONS))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not that of a store");
    }

    @Test
    @DisplayName("without the keyspace, or the table where it is not to be created, the message says how to create it")
    void not_created() {
        assertThatThrownBy(() -> CassandraStore.on(session, "nowhere", "t", STRICT))
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("semel schema cassandra");
        assertThatThrownBy(() -> CassandraStore.on(
                        session, CassandraServers.KEYSPACE, "t", CassandraServers.OPTIONS.withCreate(false)))
                .isInstanceOf(NotCreatedException.class)
                .hasMessageContaining("schemaMode=create");
    }

    @Test
    @DisplayName("a store at a URI keeps its records when it is opened again, also by operators")
    void reopened() {
        CassandraUri uri = CassandraUri.parse(
                        CassandraServers.cluster().uri(CassandraServers.KEYSPACE) + "&table=reopened")
                .withOptions(CassandraServers.OPTIONS.withTimeout(Duration.ofSeconds(20)));
        assertThatThrownBy(() -> CassandraStore.openExisting(uri)).isInstanceOf(NotCreatedException.class);
        try (CassandraStore first = CassandraStore.open(uri)) {
            first.claim(dev.semel.testkit.contract.StoreVerbs.request("k"))
                    .toCompletableFuture()
                    .join();
        }
        try (CassandraStore again = CassandraStore.openExisting(uri)) {
            assertThat(again.sample(10)).hasSize(1);
        }
        assertThat(CassandraDoctor.examine(uri))
                .extracting(CassandraFinding::what)
                .contains("the table is that of a store");
    }
}
