package dev.semel.server.cli;

import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.mysql.MysqlOptions;
import dev.semel.jdbc.postgresql.PostgresOptions;
import dev.semel.jdbc.sqlite.SqliteOptions;
import java.util.List;

/** A store in a database. */
record DatabaseLocation(StoreUri uri) implements StoreLocation {

    @Override
    public Store open(boolean acceptUnsafeDurability) {
        return Stores.open(withoutCreating(acceptUnsafeDurability));
    }

    private StoreUri withoutCreating(boolean acceptUnsafeDurability) {
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return new StoreUri.Sqlite(
                    sqlite.path(),
                    new SqliteOptions(SchemaMode.VALIDATE, sqlite.options().busyTimeout()));
        }
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return new StoreUri.Postgresql(
                    postgresql.server(), new PostgresOptions(SchemaMode.VALIDATE, acceptUnsafeDurability));
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return new StoreUri.Mysql(mysql.server(), new MysqlOptions(SchemaMode.VALIDATE, acceptUnsafeDurability));
        }
        return uri;
    }

    @Override
    public List<CheckResult> check() {
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return PostgresCheck.of(postgresql);
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return MysqlCheck.of(mysql);
        }
        return uri instanceof StoreUri.Sqlite sqlite ? SqliteCheck.of(sqlite) : List.of();
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
