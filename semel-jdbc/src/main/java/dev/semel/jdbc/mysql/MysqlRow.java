package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.RecordRow;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a row of MySQL's tables says: text is the bytes of its UTF-8, a time is microseconds. */
final class MysqlRow implements RecordRow.Columns {

    private static final MysqlRow COLUMNS = new MysqlRow();

    private MysqlRow() {}

    static StoredRecord record(ResultSet row) throws SQLException {
        return RecordRow.read(row, at(row), COLUMNS);
    }

    static AuditEntry entry(ResultSet row) throws SQLException {
        return RecordRow.entry(row, COLUMNS);
    }

    /** When the row was read, by the server's clock. */
    static Instant at(ResultSet row) throws SQLException {
        return Micros.instant(row.getLong("at"));
    }

    static Identity identity(ResultSet row) throws SQLException {
        return Identity.of(required(row, "scope"), required(row, "key"));
    }

    /** Whether a person has let the record expire. */
    static boolean isForgotten(ResultSet row) throws SQLException {
        return StoredRecord.FORGOTTEN.equals(COLUMNS.text(row, "reason"));
    }

    static String required(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable Instant time(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.instant(micros);
    }

    @Override
    public @Nullable String text(ResultSet row, String column) throws SQLException {
        byte[] utf8 = row.getBytes(column);
        return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
    }
}
