package dev.semel.jdbc;

import dev.semel.engine.Store;
import dev.semel.engine.StoreProvider;
import dev.semel.jdbc.mysql.MysqlStore;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.memory.MemoryStore;
import java.util.ServiceLoader;

/** Opens stores from URIs. */
public final class Stores {

    private Stores() {}

    /**
     * Opens the store that a URI names, such as {@code memory:}, {@code sqlite:data/semel.db},
     * {@code postgresql://user:password@host:5432/database} or {@code mysql://user:password@host:3306/database}; and with the
     * module semel-redis also {@code redis://user:password@host:6379} and its kin, with semel-dynamodb
     * {@code dynamodb://TABLE?region=REGION}, with semel-cassandra {@code cassandra://host:9042/keyspace?dc=datacenter}.
     *
     * @throws IllegalArgumentException when this is not a store's URI; the message says what would be right
     * @throws dev.semel.StoreException when the store cannot be opened
     */
    public static Store open(String uri) {
        String scheme = StoreUriParser.schemeOf(uri);
        // The loader of this class: that of a pool's thread may not see the application.
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider.open(uri);
            }
        }
        return open(StoreUri.parse(uri));
    }

    /**
     * Opens the store that a URI names.
     *
     * @throws dev.semel.StoreException when the store cannot be opened
     */
    public static Store open(StoreUri uri) {
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return PostgresStore.open(postgresql.server(), postgresql.options());
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return MysqlStore.open(mysql.server(), mysql.options());
        }
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return SqliteStore.open(sqlite.path(), sqlite.options());
        }
        return new MemoryStore();
    }
}
