package dev.semel.cassandra.table;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.semel.Identity;
import dev.semel.items.Item;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The statements of a table, prepared. */
public final class Statements {

    /** What a node tells as its time. */
    static final String TOLD = "told";

    static final String SCOPE = "scope";
    static final String KEY = "key";
    static final String OPERATION = "operation";
    static final String FENCE = "fence";
    static final String VERSION = "version";
    static final String WRITE = "write_id";
    static final String PLACE = "place";
    static final String RECORD = "record";
    static final String CONTENTS = "contents";
    static final String AUDIT = "audit";

    /** The columns of a store's table. */
    public static final Set<String> COLUMNS =
            Set.of(SCOPE, KEY, OPERATION, "state", FENCE, VERSION, WRITE, PLACE, RECORD, CONTENTS, AUDIT);

    private static final String CLOCK = "SELECT toTimestamp(now()) AS told FROM system.local";

    private static final String WRITE_ROW = """
            UPDATE %s USING TTL ?
            SET operation = ?, state = ?, fence = ?, version = ?, write_id = ?, place = ?, record = ?, contents = ?, audit = ?
            WHERE scope = ? AND key = ?
            """;

    /** These always hold: a refusal brings the columns of its conditions, and so the whole row in the same round trip. */
    private static final String BRING_ALL = " AND record != 0x AND contents != 0xFF00 AND audit != 0xFF00";

    private static final String IF_ABSENT = "IF fence = null AND version = null AND write_id = null" + BRING_ALL;
    private static final String IF_UNCHANGED = "IF fence = ? AND version = ? AND write_id = ?" + BRING_ALL;

    private static final String READ_ROW = """
            SELECT scope, key, fence, version, write_id, record, contents, audit, toTimestamp(now()) AS told
            FROM %s WHERE scope = ? AND key = ?
            """;

    private static final String FIND =
            "SELECT scope, key, place, operation FROM %s WHERE place >= ? AND place <= ? LIMIT ?";

    private static final String SUMMARIES =
            "SELECT scope, key, fence, version, write_id, place, record FROM %s LIMIT ?";

    private static final String SAMPLE = "SELECT scope, key FROM %s WHERE place >= ? AND place <= ? LIMIT ?";

    private static final int PAGE = 1000;

    private final ConsistencyLevel serial;
    private final ConsistencyLevel quorum;
    private final PreparedStatement first;
    private final PreparedStatement next;
    private final PreparedStatement read;
    private final PreparedStatement find;
    private final PreparedStatement summaries;
    private final PreparedStatement sample;

    /** Prepares the statements of a table, which is named with its keyspace. */
    public Statements(CqlSession session, String table, ConsistencyLevel serial, ConsistencyLevel quorum) {
        this.serial = serial;
        this.quorum = quorum;
        first = session.prepare((WRITE_ROW + IF_ABSENT).formatted(table));
        next = session.prepare((WRITE_ROW + IF_UNCHANGED).formatted(table));
        read = session.prepare(READ_ROW.formatted(table));
        find = session.prepare(FIND.formatted(table));
        summaries = session.prepare(SUMMARIES.formatted(table));
        sample = session.prepare(SAMPLE.formatted(table));
    }

    /** Writes an item where it finds the expected one, or none if none is expected. Never repeated by the driver. */
    BoundStatement write(@Nullable Item expected, Item item, int ttl) {
        String operation = item.record() == null ? "" : item.record().operation();
        String state =
                item.record() == null ? "deleted" : item.record().state().name().toLowerCase(java.util.Locale.ROOT);
        Identity identity = item.identity();
        Object[] row = {
            ttl,
            operation,
            state,
            item.fence(),
            item.version(),
            item.token(),
            Place.of(item),
            RowBytes.record(item),
            RowBytes.contents(item),
            RowBytes.audit(item),
            identity.scope().value(),
            identity.key().value()
        };
        BoundStatement bound = expected == null
                ? first.bind(row)
                : next.bind(row)
                        .setLong(row.length, expected.fence())
                        .setLong(row.length + 1, expected.version())
                        .setLong(row.length + 2, expected.token());
        return bound.setSerialConsistencyLevel(serial)
                .setConsistencyLevel(quorum)
                .setIdempotent(false);
    }

    /** Reads a row as it was last acknowledged. */
    BoundStatement read(Identity identity) {
        return read(identity, quorum);
    }

    /** Reads a row after every write that has been decided, or may still be: those that are under way are ended first. */
    BoundStatement readSerially(Identity identity) {
        return read(identity, serial);
    }

    private BoundStatement read(Identity identity, ConsistencyLevel level) {
        return read.bind(identity.scope().value(), identity.key().value())
                .setConsistencyLevel(level)
                .setIdempotent(true);
    }

    /** Finds rows between two places. */
    BoundStatement find(long from, long until, int most) {
        return many(find.bind(from, until, most));
    }

    BoundStatement sample(int most) {
        return many(sample.bind(Place.NOWHERE.first(), Place.MARKED.last(), most));
    }

    BoundStatement summaries(int most) {
        return many(summaries.bind(most));
    }

    private BoundStatement many(BoundStatement bound) {
        return bound.setConsistencyLevel(quorum).setPageSize(PAGE).setIdempotent(true);
    }

    /** Asks a node for its time. */
    static SimpleStatement clock(Node node) {
        return SimpleStatement.newInstance(CLOCK).setNode(node).setIdempotent(true);
    }
}
