package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import dev.semel.cassandra.CassandraFinding.Weight;
import dev.semel.cassandra.table.NodeClocks;
import dev.semel.cassandra.table.Statements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at a keyspace, its table, and the nodes that hold it. */
final class SchemaCheck {

    private static final Version OLDEST = Objects.requireNonNull(Version.parse("5.0.0"));

    /** With three replicas, one can fail while two decide. */
    private static final int REPLICAS = 3;

    /** Clocks that NTP sets differ by less. */
    private static final Duration SKEW = Duration.ofMillis(500);

    private final CqlSession session;
    private final String keyspace;
    private final String table;
    private final CassandraOptions options;
    private final NodeClocks clocks;

    SchemaCheck(CqlSession session, String keyspace, String table, CassandraOptions options, NodeClocks clocks) {
        this.session = session;
        this.keyspace = keyspace;
        this.table = table;
        this.options = options;
        this.clocks = clocks;
    }

    private Optional<KeyspaceMetadata> keyspace() {
        return session.getMetadata().getKeyspace(CqlIdentifier.fromInternal(keyspace));
    }

    private Optional<TableMetadata> table() {
        return keyspace().flatMap(found -> found.getTable(CqlIdentifier.fromInternal(table)));
    }

    boolean hasKeyspace() {
        return keyspace().isPresent();
    }

    boolean hasTable() {
        return table().isPresent();
    }

    /** What was found, good and bad. */
    List<CassandraFinding> findings() {
        List<CassandraFinding> findings = new ArrayList<>();
        findings.add(version());
        findings.add(protocol());
        KeyspaceMetadata found = keyspace().orElse(null);
        if (found == null) {
            findings.add(new CassandraFinding(
                    Weight.BROKEN, "there is no keyspace " + keyspace, "create it as semel schema cassandra says"));
            return findings;
        }
        findings.addAll(replication(found));
        TableMetadata records = table().orElse(null);
        if (records == null) {
            findings.add(new CassandraFinding(
                    Weight.NOTE, "there is no table " + table, "it is created when the store starts"));
        } else {
            findings.addAll(table(records));
        }
        findings.add(skew(clocks.spread()));
        findings.add(commitLog());
        return findings;
    }

    private CassandraFinding version() {
        Set<String> old = session.getMetadata().getNodes().values().stream()
                .map(Node::getCassandraVersion)
                .filter(version -> version != null && version.nextStable().compareTo(OLDEST) < 0)
                .map(Version::toString)
                .collect(Collectors.toSet());
        return old.isEmpty()
                ? CassandraFinding.fine("the nodes run Cassandra 5.0 or newer")
                : new CassandraFinding(
                        Weight.BROKEN,
                        "nodes run Cassandra " + String.join(", ", old) + ", which has no storage-attached indexes",
                        "use Cassandra 5.0 or newer");
    }

    private CassandraFinding protocol() {
        return session.getContext().getProtocolVersion().getCode() <= DefaultProtocolVersion.V4.getCode()
                ? CassandraFinding.fine("the session uses version 4 of the native protocol")
                : new CassandraFinding(
                        Weight.BROKEN,
                        "the session uses a version of the native protocol above 4, with which an uncertain write breaks"
                                + " its connection",
                        "set advanced.protocol.version = V4 for this session");
    }

    private List<CassandraFinding> replication(KeyspaceMetadata found) {
        List<CassandraFinding> findings = new ArrayList<>();
        Map<String, String> replication = new TreeMap<>(found.getReplication());
        String strategy = Objects.requireNonNullElse(replication.remove("class"), "");
        if (strategy.endsWith("SimpleStrategy")) {
            findings.add(new CassandraFinding(
                    Weight.UNSAFE,
                    "the keyspace has SimpleStrategy, which knows neither racks nor data centers: replicas of a record may fail"
                            + " together, and a second data center changes where they are",
                    "use NetworkTopologyStrategy, and repair"));
        }
        findings.addAll(dataCenters(replication, options.consistency()));
        if (!found.isDurableWrites()) {
            findings.add(new CassandraFinding(
                    Weight.UNSAFE,
                    "the keyspace has durable_writes = false: nodes that restart forget what they confirmed",
                    "set durable_writes = true"));
        }
        return findings;
    }

    static List<CassandraFinding> dataCenters(Map<String, String> replication, Consistency consistency) {
        List<CassandraFinding> findings = new ArrayList<>();
        for (Map.Entry<String, String> place : replication.entrySet()) {
            int replicas = replicas(place.getValue());
            findings.add(
                    replicas >= REPLICAS
                            ? CassandraFinding.fine(place.getKey() + " has " + replicas + " replicas")
                            : new CassandraFinding(
                                    Weight.UNSAFE,
                                    place.getKey() + " has " + replicas
                                            + " replicas: losing one node loses records, or stops the store",
                                    "use " + REPLICAS + " replicas, and repair"));
        }
        if (consistency == Consistency.LOCAL && replication.size() > 1) {
            findings.add(new CassandraFinding(
                    Weight.UNSAFE,
                    "consistency=local decides within one data center, and the keyspace is in " + replication.size()
                            + ": each of them grants the same key once",
                    "use consistency=global, or claim each key in one data center only"));
        }
        return findings;
    }

    /** A number, with the transient ones behind a slash. */
    private static int replicas(String text) {
        String[] parts = text.split("/", 2);
        return Integer.parseInt(parts[0]) - (parts.length == 1 ? 0 : Integer.parseInt(parts[1]));
    }

    private List<CassandraFinding> table(TableMetadata records) {
        List<CassandraFinding> findings = new ArrayList<>();
        Set<String> columns = records.getColumns().keySet().stream()
                .map(CqlIdentifier::asInternal)
                .collect(Collectors.toSet());
        boolean ours =
                columns.containsAll(Statements.COLUMNS) && CassandraSchema.FORMAT.equals(option(records, "comment"));
        findings.add(
                ours
                        ? CassandraFinding.fine("the table is that of a store")
                        : new CassandraFinding(
                                Weight.BROKEN,
                                "the table " + table
                                        + " is not that of a store, or of another release: it lacks columns, or"
                                        + " its comment is not \"" + CassandraSchema.FORMAT + "\"",
                                "name another table, or use the release of Semel that created it"));
        boolean indexed = records.getIndexes().values().stream()
                .anyMatch(index -> index.getTarget().contains("place"));
        if (!indexed) {
            findings.add(new CassandraFinding(
                    Weight.BROKEN,
                    "the table has no index on place, so that sweeping finds nothing",
                    "create it as semel schema cassandra says"));
        }
        if (!"0".equals(String.valueOf(option(records, "default_time_to_live")))) {
            findings.add(new CassandraFinding(
                    Weight.UNSAFE,
                    "the table has a default_time_to_live, so that Cassandra deletes records that are in progress",
                    "set default_time_to_live = 0"));
        }
        if (option(records, "gc_grace_seconds") instanceof Integer seconds
                && seconds < CassandraSchema.GC_GRACE_SECONDS) {
            findings.add(new CassandraFinding(
                    Weight.NOTE,
                    "gc_grace_seconds is " + seconds
                            + ": a replica that was down for longer brings settled records back as in progress",
                    "repair every node more often than that, or set it to " + CassandraSchema.GC_GRACE_SECONDS));
        }
        return findings;
    }

    private static @Nullable Object option(TableMetadata records, String name) {
        return records.getOptions().get(CqlIdentifier.fromInternal(name));
    }

    static CassandraFinding skew(Duration spread) {
        if (spread.compareTo(SKEW) <= 0) {
            return CassandraFinding.fine("the clocks of the nodes agree");
        }
        return new CassandraFinding(
                spread.compareTo(NodeClocks.TOLERANCE) <= 0 ? Weight.NOTE : Weight.UNSAFE,
                "the clocks of the nodes differ by " + spread.toMillis()
                        + " ms; TTL goes by them, and from three hours on deletes records before their retention ends",
                "run NTP on every node");
    }

    private CassandraFinding commitLog() {
        String sync = null;
        try {
            Row row = session.execute("SELECT value FROM system_views.settings WHERE name = 'commitlog_sync'")
                    .one();
            sync = row == null ? null : row.getString("value");
        } catch (DriverException e) {
            // The role may not read settings; that is a note as well.
        }
        return sync != null && !sync.equals("periodic")
                ? CassandraFinding.fine("the commit log is synced before a write is confirmed")
                : new CassandraFinding(
                        Weight.NOTE,
                        sync == null
                                ? "commitlog_sync cannot be read"
                                : "commitlog_sync is periodic: a power failure of most replicas at once loses up to"
                                        + " commitlog_sync_period of confirmed writes",
                        "set commitlog_sync: group, or keep replicas in racks with power of their own");
    }
}
