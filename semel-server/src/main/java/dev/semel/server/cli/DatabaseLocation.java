package dev.semel.server.cli;

import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.doctor.DatabaseDoctor;
import dev.semel.jdbc.doctor.DatabaseFinding;
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
                    new SqliteOptions(
                            SchemaMode.VALIDATE,
                            sqlite.options().busyTimeout(),
                            sqlite.options().tombstones()));
        }
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return new StoreUri.Postgresql(
                    postgresql.server(),
                    new PostgresOptions(
                            SchemaMode.VALIDATE,
                            acceptUnsafeDurability,
                            postgresql.options().lanes(),
                            postgresql.options().tombstones()));
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return new StoreUri.Mysql(
                    mysql.server(),
                    new MysqlOptions(
                            SchemaMode.VALIDATE,
                            acceptUnsafeDurability,
                            mysql.options().lanes(),
                            mysql.options().tombstones()));
        }
        return uri;
    }

    @Override
    public List<CheckResult> check() {
        return DatabaseDoctor.examine(uri).stream()
                .map(DatabaseLocation::finding)
                .toList();
    }

    private static CheckResult finding(DatabaseFinding found) {
        return switch (found.weight()) {
            case FINE -> CheckResult.good(found.what());
            case NOTE -> CheckResult.note(found.what());
            case UNSAFE -> CheckResult.bad(found.what());
        };
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
