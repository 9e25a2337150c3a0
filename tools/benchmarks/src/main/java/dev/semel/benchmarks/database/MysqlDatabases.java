package dev.semel.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Databases on a MySQL or MariaDB server that a URI names; the database that it names is left alone. */
final class MysqlDatabases implements Databases {

    /** What decides whether the server keeps what it confirms, and how much of it it has at hand; bytes come last. */
    private static final List<String> SETTINGS = List.of(
            "innodb_flush_log_at_trx_commit",
            "innodb_doublewrite",
            "log_bin",
            "sync_binlog",
            "innodb_buffer_pool_size",
            "innodb_log_file_size");

    private static final long MEGABYTE = 1 << 20;

    private final StoreUri.Mysql uri;
    private final String description;
    private final CreatedDatabases created;

    /** @throws SQLException when the server cannot be reached */
    MysqlDatabases(StoreUri.Mysql uri) throws SQLException {
        this.uri = uri;
        this.created = new CreatedDatabases(new Database(Dialect.MYSQL, uri), "--store mariadb");
        this.description = described(variables());
    }

    @Override
    public Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    public String description() {
        return description;
    }

    private Map<String, String> variables() throws SQLException {
        Map<String, String> variables = new HashMap<>();
        try (HikariDataSource pool = new Database(Dialect.MYSQL, uri).administration();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES")) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return variables;
    }

    /** A server without a binary log need not flush it. */
    static String described(Map<String, String> variables) {
        String version = variables.getOrDefault("version", "");
        String maker = (version + variables.get("version_comment")).toLowerCase(Locale.ROOT);
        boolean binaryLog = !"OFF".equalsIgnoreCase(variables.get("log_bin"));
        StringBuilder text = new StringBuilder(maker.contains("mariadb") ? "MariaDB " : "MySQL ")
                .append(version.replaceFirst("-MariaDB.*", ""));
        for (String name : SETTINGS) {
            String value = variables.get(name);
            if (value != null && (binaryLog || !name.equals("sync_binlog"))) {
                text.append(", ").append(name).append('=').append(name.endsWith("_size") ? megabytes(value) : value);
            }
        }
        return text.toString();
    }

    private static String megabytes(String bytes) {
        return Long.parseLong(bytes) / MEGABYTE + "MB";
    }

    @Override
    public Database create(String name) throws SQLException {
        String database = created.create(name);
        return new Database(Dialect.MYSQL, new StoreUri.Mysql(uri.server().withDatabase(database), uri.options()));
    }

    @Override
    public void close() throws SQLException {
        created.drop("");
    }
}
