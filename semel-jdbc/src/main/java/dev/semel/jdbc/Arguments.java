package dev.semel.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Fills the placeholders of a statement from left to right. */
final class Arguments {

    private final PreparedStatement statement;
    private int position;

    Arguments(PreparedStatement statement) {
        this.statement = statement;
    }

    Arguments text(@Nullable String value) throws SQLException {
        statement.setString(++position, value);
        return this;
    }

    /** Text as the bytes of its UTF-8, whatever the connection takes text for. */
    Arguments utf8(@Nullable String value) throws SQLException {
        return bytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    Arguments number(long value) throws SQLException {
        statement.setLong(++position, value);
        return this;
    }

    Arguments numberOrNull(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(++position, Types.BIGINT);
            return this;
        }
        return number(value);
    }

    /** @throws IllegalArgumentException when the limit is negative, which some databases take for none */
    Arguments limit(int value) throws SQLException {
        if (value < 0) {
            throw new IllegalArgumentException("a limit of " + value + ": give zero or more");
        }
        return integer(value);
    }

    Arguments integer(int value) throws SQLException {
        statement.setInt(++position, value);
        return this;
    }

    Arguments flag(@Nullable Boolean value) throws SQLException {
        if (value == null) {
            statement.setNull(++position, Types.BOOLEAN);
            return this;
        }
        statement.setBoolean(++position, value);
        return this;
    }

    Arguments bytes(byte @Nullable [] value) throws SQLException {
        statement.setBytes(++position, value);
        return this;
    }

    Arguments duration(Duration value) throws SQLException {
        return number(Micros.of(value));
    }

    Arguments micros(@Nullable Instant value) throws SQLException {
        return numberOrNull(value == null ? null : Micros.of(value));
    }
}
