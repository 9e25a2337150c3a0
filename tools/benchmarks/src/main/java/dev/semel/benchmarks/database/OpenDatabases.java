package dev.semel.benchmarks.database;

import dev.semel.jdbc.StoreUri;
import dev.semel.redis.uri.RedisUri;
import java.io.IOException;
import java.sql.SQLException;

/** Understands what {@code --store} says. */
public final class OpenDatabases {

    /** What it understands, for help and for messages. */
    public static final String CHOICES = "postgresql, mariadb, sqlite or redis for one of its own, sqlite:PATH,"
            + " postgresql://user:password@host:port/database, the same with mysql:// or mariadb://, or"
            + " redis://host:port";

    private OpenDatabases() {}

    /** Starts or connects, when its time comes. */
    @FunctionalInterface
    public interface Opening {
        Place open() throws IOException, SQLException;
    }

    /** What kind of store it means. */
    public static Kind kindOf(String store) {
        return store.equals("redis") || RedisUri.isRedis(store) ? Kind.REDIS : Kind.DATABASE;
    }

    /**
     * Understands it without opening anything.
     *
     * @param syncDelayMicros how much longer a PostgreSQL that is started here takes to sync
     * @throws IllegalArgumentException when it says nothing that is understood; the message says what would be right
     */
    public static Opening parse(String store, int syncDelayMicros) {
        if (syncDelayMicros < 0 || syncDelayMicros > OwnPostgres.LONGEST_SYNC_DELAY_MICROS) {
            throw new IllegalArgumentException(
                    "--sync-delay must be from 0 to " + OwnPostgres.LONGEST_SYNC_DELAY_MICROS + " microseconds");
        }
        if (store.equals("postgresql")) {
            return () -> OwnPostgres.start(syncDelayMicros);
        }
        if (syncDelayMicros > 0) {
            throw new IllegalArgumentException(
                    "--sync-delay is for the PostgreSQL that is started here: leave it out, or use --store postgresql");
        }
        if (store.equals("mariadb")) {
            return OwnMariadb::start;
        }
        if (store.equals("sqlite")) {
            return SqliteFiles::temporary;
        }
        if (kindOf(store) == Kind.REDIS) {
            return redis(store);
        }
        if (!store.contains(":")) {
            throw new IllegalArgumentException("--store must be " + CHOICES);
        }
        StoreUri uri = StoreUri.parse(store);
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return () -> new PostgresDatabases(postgresql);
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return () -> new MysqlDatabases(mysql);
        }
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return () -> SqliteFiles.beside(sqlite);
        }
        throw new IllegalArgumentException("--store must be " + CHOICES);
    }

    private static Opening redis(String store) {
        if (store.equals("redis")) {
            return RedisPlace::started;
        }
        RedisUri uri = RedisUri.parse(store);
        if (uri.topology() != RedisUri.Topology.SERVER || uri.tls().used()) {
            throw new IllegalArgumentException(
                    "only one Redis is measured: --store must be redis or redis://host:port");
        }
        return () -> RedisPlace.at(uri);
    }
}
