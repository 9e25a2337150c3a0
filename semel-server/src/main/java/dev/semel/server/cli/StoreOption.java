package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.cassandra.CassandraUri;
import dev.semel.dynamodb.DynamoUri;
import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.redis.uri.RedisUri;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The store that a command works on. There is no default: a command on the wrong store would go unnoticed. */
final class StoreOption {

    private static final String VARIABLE = "SEMEL_STORE";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "URI",
            description =
                    "sqlite:PATH; postgresql:// or mysql:// with USER:PASSWORD@HOST:PORT/DATABASE; redis://, rediss://,"
                            + " redis-sentinel:// or redis-cluster:// with USER:PASSWORD@HOST:PORT;"
                            + " dynamodb://TABLE?region=REGION; cassandra://HOST:PORT/KEYSPACE?dc=DATACENTER"
                            + " (default: the environment variable " + VARIABLE + ").")
    private @Nullable String uri;

    /** Whether the option is given; the environment variable does not count. */
    boolean isGiven() {
        return uri != null;
    }

    /** @throws ParameterException when no store is given, or its URI is invalid */
    StoreLocation location() {
        return location(given());
    }

    /**
     * Returns the store that an argument gives instead of the option.
     *
     * @throws ParameterException when the option is given as well, or the URI is invalid
     */
    StoreLocation locationOf(String argument) {
        if (uri != null) {
            throw wrong("the store is given twice: give it with --store or as an argument");
        }
        return location(argument);
    }

    private StoreLocation location(String given) {
        StoreUri database;
        try {
            if (RedisUri.isRedis(given)) {
                return new RedisLocation(RedisUri.parse(given));
            }
            if (DynamoUri.isDynamo(given)) {
                return new DynamoLocation(DynamoUri.parse(given));
            }
            if (CassandraUri.isCassandra(given)) {
                return new CassandraLocation(CassandraUri.parse(given));
            }
            database = StoreUri.parse(given);
        } catch (IllegalArgumentException e) {
            throw wrong("--store: " + e.getMessage());
        }
        if (database instanceof StoreUri.Memory) {
            throw wrong("--store: a memory: store exists only inside its process; commands cannot reach it");
        }
        return new DatabaseLocation(database);
    }

    private String given() {
        String given = uri == null ? System.getenv(VARIABLE) : uri;
        if (given == null || given.isBlank()) {
            throw wrong("no store given: use --store URI or the environment variable " + VARIABLE);
        }
        return given;
    }

    /** @throws ParameterException when the store is not one in Redis */
    RedisUri redis() {
        if (location() instanceof RedisLocation redis) {
            return redis.uri();
        }
        throw wrong("--store: only stores in Redis need repair; databases maintain their indexes themselves");
    }

    /** Opens the store, also with settings that can lose records: the application may have accepted them. */
    Store open() {
        StoreLocation location = location();
        try {
            return location.open(true);
        } catch (StoreException e) {
            String message = String.valueOf(e.getMessage());
            throw new StoreException(message.contains(location.toString()) ? message : location + ": " + message, e);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
