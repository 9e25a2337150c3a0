package dev.semel.benchmarks.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** The placeholders of a statement that takes an array for each column, filled one after the other from those who ask. */
final class ArrayArguments {

    private final PreparedStatement statement;
    private final List<BareLane.Asked> batch;
    private int position;

    /** @param position of the first placeholder, counted from one */
    ArrayArguments(PreparedStatement statement, int position, List<BareLane.Asked> batch) {
        this.statement = statement;
        this.position = position;
        this.batch = batch;
    }

    /** One value for all of them. */
    ArrayArguments text(String value) throws SQLException {
        statement.setString(position++, value);
        return this;
    }

    ArrayArguments texts(Function<BareLane.Asked, String> column) throws SQLException {
        return array("text", batch.stream().map(column).toArray(String[]::new));
    }

    ArrayArguments numbers(Function<BareLane.Asked, Long> column) throws SQLException {
        return array("bigint", batch.stream().map(column).toArray(Long[]::new));
    }

    ArrayArguments flags(Function<BareLane.Asked, Boolean> column) throws SQLException {
        return array("boolean", batch.stream().map(column).toArray(Boolean[]::new));
    }

    ArrayArguments bytes(Function<BareLane.Asked, byte[]> column) throws SQLException {
        return array("bytea", batch.stream().map(column).toArray(byte[][]::new));
    }

    ArrayArguments nulls() throws SQLException {
        return array("text", new String[batch.size()]);
    }

    private ArrayArguments array(String type, Object[] elements) throws SQLException {
        statement.setArray(position++, statement.getConnection().createArrayOf(type, elements));
        return this;
    }

    /** The placeholder after the last one that was filled. */
    int next() {
        return position;
    }
}
