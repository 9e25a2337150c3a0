package dev.semel.http.servlet;

import dev.semel.engine.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** A database with a store and one table of the application, which has one column of text. */
interface Database extends AutoCloseable {

    DataSource dataSource();

    /** Closed by the caller. */
    Store store();

    /** Writes a row through a connection, in its current transaction. */
    void insert(Connection connection, String row) throws SQLException;

    /** What has been committed. */
    List<String> rows();

    @Override
    void close();
}
