package dev.semel.benchmarks.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.config.DatabaseServer.Credentials;
import dev.semel.jdbc.config.DatabaseServer.PoolOptions;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** One database: a store can be opened on it, and tables of others can lie beside the store's. */
public record Database(Dialect dialect, StoreUri uri) {

    /** Callers that wait for a connection are part of what is measured, so they wait. */
    private static final long CONNECTION_TIMEOUT_MILLIS = 60_000;

    /** The database that a store's URI is about. */
    public static Database parse(String store) {
        StoreUri uri = StoreUri.parse(store);
        if (uri instanceof StoreUri.Postgresql) {
            return new Database(Dialect.POSTGRESQL, uri);
        }
        return new Database(uri instanceof StoreUri.Mysql ? Dialect.MYSQL : Dialect.SQLITE, uri);
    }

    /** The store's URI as text, with what it takes to connect. */
    public String uriText() {
        if (uri instanceof StoreUri.Postgresql postgresql) {
            PostgresOptions options = postgresql.options();
            return text("postgresql", postgresql.server(), options.acceptUnsafeDurability(), options.lanes());
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            MysqlOptions options = mysql.options();
            return text("mysql", mysql.server(), options.acceptUnsafeDurability(), options.lanes());
        }
        return uri.toString();
    }

    private static String text(String scheme, DatabaseServer server, boolean acceptUnsafeDurability, int lanes) {
        Credentials credentials = server.credentials();
        String user = credentials.user() == null ? "" : encoded(credentials.user());
        String password = credentials.password() == null ? "" : ":" + encoded(credentials.password());
        String at = user.isEmpty() && password.isEmpty() ? "" : "@";
        return scheme + "://" + user + password + at + server.hosts() + "/" + server.database()
                + query(server.pool(), acceptUnsafeDurability, lanes);
    }

    private static String query(PoolOptions pool, boolean acceptUnsafeDurability, int lanes) {
        StringBuilder query = new StringBuilder(
                "?poolSize=" + pool.size() + "&lanes=" + lanes + "&acceptUnsafeDurability=" + acceptUnsafeDurability);
        pool.driverProperties()
                .forEach((name, value) ->
                        query.append('&').append(encoded(name)).append('=').append(encoded(value)));
        return query.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A new connection pool for statements of one's own; the caller closes it. */
    public HikariDataSource pool(int size) {
        return pool(size, false);
    }

    /** The same, with every transaction serializable; in SQLite all of them are. */
    public HikariDataSource serializablePool(int size) {
        return pool(size, true);
    }

    private HikariDataSource pool(int size, boolean serializable) {
        try (HikariDataSource pool = poolOfStore(size, serializable)) {
            HikariConfig config = new HikariConfig();
            pool.copyStateTo(config);
            // Hikari reads the limit when it makes a pool.
            config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
            return new HikariDataSource(config);
        }
    }

    /** As the store makes it. */
    private HikariDataSource poolOfStore(int size, boolean serializable) {
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return sized(postgresql, size, serializable).dataSource();
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return sized(mysql, size, serializable).dataSource();
        }
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return new HikariDataSource(sqlite(sqlite, size));
        }
        throw new IllegalArgumentException("there are no connections to " + uri);
    }

    private static StoreUri.Postgresql sized(StoreUri.Postgresql uri, int size, boolean serializable) {
        Map<String, String> more =
                serializable ? Map.of("options", "-c default_transaction_isolation=serializable") : Map.of();
        return new StoreUri.Postgresql(sized(uri.server(), size, more), uri.options());
    }

    private static StoreUri.Mysql sized(StoreUri.Mysql uri, int size, boolean serializable) {
        Map<String, String> more = serializable ? Map.of("transactionIsolation", "SERIALIZABLE") : Map.of();
        return new StoreUri.Mysql(sized(uri.server(), size, more), uri.options());
    }

    private static DatabaseServer sized(DatabaseServer server, int size, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(server.pool().driverProperties());
        all.putAll(more);
        return server.withPool(new PoolOptions(size, all));
    }

    /** As durable as the store: the write-ahead log is flushed with every commit. */
    private static HikariConfig sqlite(StoreUri.Sqlite uri, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + uri.path());
        config.setMaximumPoolSize(size);
        config.addDataSourceProperty("journal_mode", "WAL");
        config.addDataSourceProperty("synchronous", "FULL");
        config.addDataSourceProperty("busy_timeout", "60000");
        config.addDataSourceProperty("transaction_mode", "IMMEDIATE");
        return config;
    }

    /** A pool of one connection, for statements outside of what is measured: it soon reports a server that cannot be reached. */
    HikariDataSource administration() {
        return poolOfStore(1, false);
    }

    /** Executes statements, one after the other, each on its own. */
    public void execute(String... statements) throws SQLException {
        try (HikariDataSource pool = administration();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
