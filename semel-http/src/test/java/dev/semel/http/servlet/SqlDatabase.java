package dev.semel.http.servlet;

import dev.semel.engine.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** A real database, with the application's table in it. */
final class SqlDatabase implements Database {

    private final DataSource dataSource;
    private final Supplier<Store> store;

    SqlDatabase(DataSource dataSource, Supplier<Store> store) throws SQLException {
        this.dataSource = dataSource;
        this.store = store;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE written (number integer PRIMARY KEY, text varchar(100))");
        }
    }

    @Override
    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public Store store() {
        return store.get();
    }

    @Override
    public void insert(Connection connection, String row) throws SQLException {
        String sql = "INSERT INTO written SELECT 1 + count(*), ? FROM written";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, row);
            insert.executeUpdate();
        }
    }

    @Override
    public List<String> rows() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT text FROM written ORDER BY number")) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}
}
