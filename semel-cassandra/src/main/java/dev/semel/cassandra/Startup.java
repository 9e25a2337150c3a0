package dev.semel.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.semel.StoreException;
import dev.semel.cassandra.CassandraFinding.Weight;
import dev.semel.cassandra.table.Lifetimes;
import dev.semel.cassandra.table.NodeClocks;
import dev.semel.cassandra.table.RecordTable;
import dev.semel.cassandra.table.Statements;
import dev.semel.engine.NotCreatedException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What happens when a store is opened: the table is created and checked, and the clock set. */
final class Startup {

    private static final System.Logger LOG = System.getLogger("dev.semel.cassandra");

    /** Half of what Cassandra takes in one mutation by default, less than its other columns need. */
    private static final int MOST_BYTES = 7 * 1024 * 1024;

    /** Nodes agree on a new table in a second or two. */
    private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(30);

    /** Nodes of a busy machine may answer too slowly once or twice. */
    private static final int READINGS = 5;

    private final CqlSession session;
    private final String keyspace;
    private final String table;
    private final CassandraOptions options;
    private final NodeClocks clocks;

    Startup(CqlSession session, String keyspace, String table, CassandraOptions options, LongSupplier nanos) {
        this.session = session;
        this.keyspace = keyspace;
        this.table = table;
        this.options = options;
        this.clocks = new NodeClocks(nanos);
    }

    /** Opens the table; creates it if it does not exist and the options say so. */
    RecordTable table() {
        return answered(() -> {
            SchemaCheck check = new SchemaCheck(session, keyspace, table, options, clocks);
            requireKeyspace(check);
            if (!check.hasTable()) {
                create();
            }
            return open(check, true);
        });
    }

    /** Opens the table of a store that was opened before, and writes nothing. */
    RecordTable existing() {
        return answered(() -> {
            SchemaCheck check = new SchemaCheck(session, keyspace, table, options, clocks);
            requireKeyspace(check);
            if (!check.hasTable()) {
                throw notCreated();
            }
            return open(check, false);
        });
    }

    private static <T> T answered(Supplier<T> startup) {
        try {
            return startup.get();
        } catch (DriverException e) {
            throw new StoreException("Cassandra does not answer: " + e.getMessage(), e);
        }
    }

    private void requireKeyspace(SchemaCheck check) {
        if (!check.hasKeyspace()) {
            throw new NotCreatedException("there is no keyspace " + keyspace
                    + " in Cassandra: create it with three replicas, as semel schema cassandra says");
        }
    }

    private NotCreatedException notCreated() {
        return new NotCreatedException("there is no table " + keyspace + "." + table
                + " in Cassandra: create it as semel schema cassandra says, or set schemaMode=create");
    }

    private void create() {
        if (!options.create()) {
            throw notCreated();
        }
        for (String statement : CassandraSchema.statements(keyspace, table)) {
            session.execute(SimpleStatement.newInstance(statement).setTimeout(SCHEMA_TIMEOUT));
        }
        session.refreshSchema();
    }

    private RecordTable open(SchemaCheck check, boolean warn) {
        setClock();
        accept(check.findings(), warn);
        Statements statements = new Statements(
                session,
                keyspace + "." + table,
                options.consistency().serial(),
                options.consistency().quorum());
        return new RecordTable(
                session, statements, clocks, new Lifetimes(options.keepMarked(), options.tombstones()), MOST_BYTES);
    }

    private void setClock() {
        for (int reading = 0; reading < READINGS && !clocks.isSet(); reading++) {
            RecordTable.hearNodes(session, clocks).join();
        }
        if (!clocks.isSet()) {
            throw new StoreException("the nodes do not tell their time, or most of their clocks differ by more than "
                    + NodeClocks.TOLERANCE.toSeconds()
                    + " seconds: the store cannot tell the time. Run NTP on every node.");
        }
    }

    private void accept(List<CassandraFinding> findings, boolean warn) {
        refuse(findings, Weight.BROKEN, "");
        if (!options.acceptUnsafeDurability()) {
            refuse(findings, Weight.UNSAFE, ", or accept the loss with acceptUnsafeDurability=true");
        }
        findings.stream()
                .filter(finding -> warn && finding.weight() != Weight.FINE)
                .forEach(finding ->
                        LOG.log(System.Logger.Level.WARNING, "{0}: {1}; {2}", table, finding.what(), finding.advice()));
    }

    private static void refuse(List<CassandraFinding> findings, Weight weight, String otherwise) {
        String refused = findings.stream()
                .filter(finding -> finding.weight() == weight)
                .map(finding -> finding.what() + ": " + finding.advice())
                .collect(Collectors.joining("; "));
        if (!refused.isEmpty()) {
            throw new StoreException(refused + otherwise);
        }
    }
}
