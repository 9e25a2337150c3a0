package dev.semel.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Everything that lies in a database, whatever it is for. */
public final class StoredBytes {

    private StoredBytes() {}

    /** Every value of every row of every table where these connections lead. */
    public static List<byte[]> inTables(DataSource dataSource) throws SQLException {
        List<byte[]> values = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                ResultSet tables = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE"})) {
            while (tables.next()) {
                addRows(connection, tables.getString("TABLE_NAME"), values);
            }
        }
        return values;
    }

    private static void addRows(Connection connection, String table, List<byte[]> values) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    Object value = rows.getObject(i);
                    values.add(
                            value instanceof byte[] bytes
                                    ? bytes
                                    : String.valueOf(value).getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Every file of a directory. */
    public static List<byte[]> inFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(StoredBytes::read).toList();
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
