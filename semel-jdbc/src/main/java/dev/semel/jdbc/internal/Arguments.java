package dev.semel.jdbc.internal;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fills the placeholders of a statement from left to right. */
public final class Arguments {

    private final PreparedStatement statement;
    private int position;
    private boolean ofOne;

    public Arguments(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Whether the next statement takes the values of a single row instead of arrays of many rows. */
    public Arguments ofOne(boolean one) {
        ofOne = one;
        return this;
    }

    public Arguments text(@Nullable String value) throws SQLException {
        statement.setString(++position, value);
        return this;
    }

    /** Text as the bytes of its UTF-8, whatever the connection's character set. */
    public Arguments utf8(@Nullable String value) throws SQLException {
        return bytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    public Arguments number(long value) throws SQLException {
        statement.setLong(++position, value);
        return this;
    }

    public Arguments numberOrNull(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++position, Types.BIGINT);
            return this;
        }
        return number(value);
    }

    /**
     * The most rows to return.
     *
     * @throws IllegalArgumentException when the limit is negative, which some databases take for none
     */
    public Arguments limit(int value) throws SQLException {
        requireLimit(value);
        return integer(value);
    }

    public static void requireLimit(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("a limit of " + value + ": give zero or more");
        }
    }

    public Arguments integer(int value) throws SQLException {
        statement.setInt(++position, value);
        return this;
    }

    public Arguments flag(@Nullable Boolean value) throws SQLException {
        if (value == null) {
            statement.setNull(++position, Types.BOOLEAN);
            return this;
        }
        statement.setBoolean(++position, value);
        return this;
    }

    public Arguments bytes(byte @Nullable [] value) throws SQLException {
        statement.setBytes(++position, value);
        return this;
    }

    /** One array, each of its elements taken from one of the rows. */
    public <R> Arguments texts(List<R> rows, Function<R, @Nullable String> column) throws SQLException {
        return ofOne
                ? text(column.apply(rows.get(0)))
                : array("text", rows.stream().map(column).toArray(String[]::new));
    }

    public <R> Arguments numbers(List<R> rows, Function<R, Long> column) throws SQLException {
        return ofOne
                ? number(column.apply(rows.get(0)))
                : array("bigint", rows.stream().map(column).toArray(Long[]::new));
    }

    public <R> Arguments flags(List<R> rows, Function<R, Boolean> column) throws SQLException {
        return ofOne
                ? flag(column.apply(rows.get(0)))
                : array("boolean", rows.stream().map(column).toArray(Boolean[]::new));
    }

    public <R> Arguments byteStrings(List<R> rows, Function<R, byte @Nullable []> column) throws SQLException {
        return ofOne
                ? bytes(column.apply(rows.get(0)))
                : array("bytea", rows.stream().map(column).toArray(byte[][]::new));
    }

    private Arguments array(String type, Object[] elements) throws SQLException {
        statement.setArray(++position, statement.getConnection().createArrayOf(type, elements));
        return this;
    }

    public Arguments duration(Duration value) throws SQLException {
        return number(Micros.of(value));
    }

    public Arguments micros(@Nullable Instant value) throws SQLException {
        return numberOrNull(value == null ? null : Micros.of(value));
    }
}
