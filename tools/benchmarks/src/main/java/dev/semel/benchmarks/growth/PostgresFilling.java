package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.store.Payload;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** PostgreSQL's tables, where a completed record holds its audit itself; indexes are made when everything is in. */
final class PostgresFilling implements TableFilling {

    private static final String RECORDS = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                expires_at, created_at, updated_at, claimed_at, response)
            SELECT ?, md5(made.i::text) || '-g', 'bench', ?, 'completed', made.fence, 1, false, made.holder,
                now() + ? * interval '1 second', made.at, made.at, made.at, decode(?, 'hex')
            FROM (
                SELECT i, nextval('semel_fence') AS fence, md5('holder' || i) AS holder,
                    now() - interval '1 hour' AS at
                FROM generate_series(?::bigint, ?::bigint) AS i) AS made
            """;

    private final PostgresIndexes indexes;

    PostgresFilling(PostgresIndexes indexes) {
        this.indexes = indexes;
    }

    @Override
    public void portion(Connection connection, int from, int to, long retentionSeconds) throws SQLException {
        TableFilling.insert(
                connection,
                RECORDS,
                List.of(Payload.SCOPE, Payload.FINGERPRINT.value(), retentionSeconds, RESPONSE_HEX, from, to));
    }

    @Override
    public void end(Connection connection, int count) throws SQLException {
        indexes.create(connection);
        TableFilling.execute(connection, "VACUUM (ANALYZE) semel_record", "CHECKPOINT");
    }
}
