package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.mysql.MysqlStore;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;

/** Opens the store that {@code semel.store} chooses, behind the Redis that {@code semel.tier} names. */
final class StoreChoice {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    private static final String PROPERTY = "semel.store";
    private static final String TIER = "semel.tier";
    private static final String TIER_CLASS = "dev.semel.redis.tiered.TieredStore";
    private static final String SQLITE_DRIVER = "org.sqlite.JDBC";
    static final Path DEFAULT_FILE = Path.of(".semel", "records.db");

    private final SemelProperties.Jdbc jdbc;
    private final Supplier<@Nullable DataSource> dataSource;

    private StoreChoice(SemelProperties.Jdbc jdbc, Supplier<@Nullable DataSource> dataSource) {
        this.jdbc = jdbc;
        this.dataSource = dataSource;
    }

    /**
     * Opens the store.
     *
     * @param dataSource the application's DataSource that holds the records, or null; called only where it is needed
     */
    static Store open(SemelProperties properties, Supplier<@Nullable DataSource> dataSource) {
        String tier = properties.tier();
        if (tier == null) {
            requireNoTier("semel.tier-timeout", properties.tierTimeout());
            requireNoTier("semel.tier-max-age", properties.tierMaxAge());
        } else if (!ClassUtils.isPresent(TIER_CLASS, StoreChoice.class.getClassLoader())) {
            throw new StoreException("the property " + TIER
                    + " puts Redis in front of the store, but the module for Redis is missing: add the dependency"
                    + " dev.semel:semel-redis");
        }
        Store store = new StoreChoice(properties.jdbc(), dataSource).open(properties.store());
        return tier == null
                ? store
                : opened(TIER, () -> RedisTier.over(store, tier, properties.tierTimeout(), properties.tierMaxAge()));
    }

    private static void requireNoTier(String property, @Nullable Object value) {
        if (value != null) {
            throw new InvalidConfigurationPropertyValueException(
                    property, value, "There is no Redis in front of the store. Set semel.tier, or leave this out.");
        }
    }

    private Store open(String choice) {
        return switch (choice.toLowerCase(Locale.ROOT)) {
            case "auto" -> {
                DataSource own = dataSource.get();
                yield own == null ? file() : on(own);
            }
            case "jdbc" -> on(required(dataSource.get()));
            case "memory" -> {
                new JdbcSettings(jdbc).requireNone();
                yield Stores.open(new StoreUri.Memory());
            }
            default -> {
                new JdbcSettings(jdbc).requireNone();
                yield opened(PROPERTY, () -> Stores.open(choice));
            }
        };
    }

    /** Does not use Spring's exception for bad values: its report shows the value, and with it the password. */
    private static Store opened(String property, Supplier<Store> opening) {
        try {
            return opening.get();
        } catch (IllegalArgumentException e) {
            throw new StoreException("the value of the property " + property + " is wrong: " + e.getMessage());
        }
    }

    private Store file() {
        if (!ClassUtils.isPresent(SQLITE_DRIVER, ClassUtils.getDefaultClassLoader())) {
            throw new StoreChoiceException(
                    "there is no place for records: the application has no DataSource, semel.store is not set, and the"
                            + " driver for a SQLite file is not on the class path",
                    "Define a DataSource, or set semel.store to a store's URI, such as"
                            + " postgresql://user:password@host/database, or memory: in tests. For one instance, add the"
                            + " dependency org.xerial:sqlite-jdbc: records are then kept in " + DEFAULT_FILE + ".");
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "records are kept in the file {0}, because there is no DataSource and semel.store is not set. Other"
                        + " instances do not see this file: two instances would execute the same key. On a disk that"
                        + " vanishes with the instance, as in most containers, the records vanish, and retries execute"
                        + " again. Set semel.store to a database that all instances share, such as"
                        + " postgresql://user:password@host/database, or, for one instance, to sqlite:PATH on a disk"
                        + " that stays",
                DEFAULT_FILE.toAbsolutePath());
        return SqliteStore.open(DEFAULT_FILE, new JdbcSettings(jdbc).ofSqlite());
    }

    private static DataSource required(@Nullable DataSource dataSource) {
        if (dataSource == null) {
            throw new InvalidConfigurationPropertyValueException(
                    PROPERTY, "jdbc", "There is no DataSource. Define one, or use a store's URI.");
        }
        return dataSource;
    }

    private Store on(DataSource own) {
        JdbcSettings settings = new JdbcSettings(jdbc);
        String product = productOf(own);
        Store store = switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> new PostgresStore(own, settings.ofPostgresql());
            case "mysql", "mariadb" -> new MysqlStore(own, settings.ofMysql());
            case "sqlite" -> new SqliteStore(own, settings.ofSqlite());
            default ->
                throw new StoreChoiceException(
                        "the database of the DataSource is " + product
                                + ", which is not supported for records: PostgreSQL, MySQL, MariaDB and SQLite are. The"
                                + " records are not kept in a file instead: each instance would have its own",
                        "Set semel.store to a store's URI, such as postgresql://user:password@host/database,"
                                + " sqlite:data/semel.db for one instance, or memory: in tests.");
        };
        LOG.log(System.Logger.Level.INFO, "records are kept in the application''s database, {0}", product);
        return store;
    }

    private static String productOf(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName();
        } catch (SQLException e) {
            throw new StoreException("cannot connect to the DataSource of the records: " + e.getMessage(), e);
        }
    }
}
