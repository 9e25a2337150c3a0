package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.jdbc.MysqlOptions;
import dev.semel.jdbc.PostgresOptions;
import dev.semel.jdbc.SchemaMode;
import dev.semel.jdbc.SqliteOptions;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.spi.ReconcilableStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The store that a command works on. There is no default: operating on the wrong one would go unnoticed. */
final class StoreOption {

    private static final String VARIABLE = "SEMEL_STORE";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "sqlite:PATH, or postgresql:// or mysql:// with USER:PASSWORD@HOST:PORT/DATABASE"
                    + " (otherwise the environment's " + VARIABLE + ").")
    private @Nullable String uri;

    /** @throws ParameterException when no store is named, or its name means nothing */
    StoreUri uri() {
        String named = uri == null ? System.getenv(VARIABLE) : uri;
        if (named == null || named.isBlank()) {
            throw wrong("which store? Name it with --store URI or in the environment's " + VARIABLE);
        }
        StoreUri parsed;
        try {
            parsed = StoreUri.parse(named);
        } catch (IllegalArgumentException e) {
            throw wrong("--store: " + e.getMessage());
        }
        if (parsed instanceof StoreUri.Memory) {
            throw wrong("--store: memory: is inside another process and cannot be reached from here");
        }
        return parsed;
    }

    /**
     * Opens the store as it is: a command that meets a wrong name must not answer by creating an empty store there, and
     * one that only looks must not refuse what the application has accepted.
     */
    ReconcilableStore open() {
        StoreUri named = uri();
        try {
            return Stores.open(asItIs(named, true));
        } catch (StoreException e) {
            throw new StoreException(named + ": " + e.getMessage(), e);
        }
    }

    static StoreUri asItIs(StoreUri uri, boolean acceptUnsafeDurability) {
        if (uri instanceof StoreUri.Sqlite sqlite) {
            return new StoreUri.Sqlite(
                    sqlite.path(),
                    new SqliteOptions(SchemaMode.VALIDATE, sqlite.options().busyTimeout()));
        }
        if (uri instanceof StoreUri.Postgresql postgresql) {
            return new StoreUri.Postgresql(
                    postgresql.hosts(),
                    postgresql.database(),
                    postgresql.credentials(),
                    postgresql.pool(),
                    new PostgresOptions(SchemaMode.VALIDATE, acceptUnsafeDurability));
        }
        if (uri instanceof StoreUri.Mysql mysql) {
            return new StoreUri.Mysql(
                    mysql.hosts(),
                    mysql.database(),
                    mysql.credentials(),
                    mysql.pool(),
                    new MysqlOptions(SchemaMode.VALIDATE, acceptUnsafeDurability));
        }
        return uri;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
