package dev.semel.cassandra;

import java.util.List;

/** The table that a store needs. */
public final class CassandraSchema {

    /** What the comment of a store's table begins with; the number is that of its format. */
    static final String FORMAT = "Semel records, format 1";

    /** Long enough to repair in: a replica that missed a settlement must not bring the state before it back. */
    static final int GC_GRACE_SECONDS = 864_000;

    private static final String TABLE = """
            -- A row is a record, or for some hours what is left of a deleted one. It is written by lightweight transactions alone,
            -- and always whole. Settled records have a TTL; records in progress and unknown never have one.
            CREATE TABLE IF NOT EXISTS %1$s (
              scope text,           -- whom the key belongs to
              key text,             -- the client's key; in front of it, nothing: (scope, key) is the identity
              operation text,       -- for people; the record has it as well
              state text,           -- for people: in_progress, completed, failed_retryable, unknown, expired, or deleted
              fence bigint,         -- of the last granted claim; only rises, also over a deletion
              version bigint,       -- one more with each write
              write_id bigint,      -- unique to the last write: tells after a lost answer whether it was written
              place bigint,         -- for the index: kind times 2^56, plus when it is due in microseconds since 1970
              record blob,          -- the record without the next two
              contents blob,        -- the response of a completed record, the steps of any other
              audit blob,           -- the history of the record
              PRIMARY KEY ((scope, key))
            ) WITH compaction = {'class': 'LeveledCompactionStrategy'}
              AND gc_grace_seconds = %2$d
              AND comment = '%3$s'
            """;

    private static final String INDEX = """
            -- Finds open records by the end of their lease or their next try, and settled ones by the end of their retention.
            CREATE INDEX IF NOT EXISTS %2$s_place ON %1$s (place) USING 'sai'
            """;

    private CassandraSchema() {}

    /** The statements that create the table and its index. */
    static List<String> statements(String keyspace, String table) {
        String qualified = keyspace + "." + table;
        return List.of(
                TABLE.formatted(qualified, GC_GRACE_SECONDS, FORMAT).strip(),
                INDEX.formatted(qualified, table).strip());
    }

    /** The keyspace and the table as CQL, and the permissions that the application needs. */
    public static String description() {
        return """
                -- The keyspace. Name your data center as nodetool status does, and keep three replicas in it.
                CREATE KEYSPACE IF NOT EXISTS semel
                  WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3} AND durable_writes = true;

                """ + String.join(";\n\n", statements("semel", "semel_records")) + ";\n\n" + """
                -- What the application's role needs. Leave CREATE and ALTER out with schemaMode=validate.
                GRANT SELECT ON KEYSPACE semel TO application;
                GRANT MODIFY ON KEYSPACE semel TO application;
                GRANT CREATE ON KEYSPACE semel TO application;
                GRANT ALTER ON KEYSPACE semel TO application;
                """;
    }
}
