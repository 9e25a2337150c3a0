package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.jdbc.StoreUri;
import dev.semel.redis.uri.RedisUri;
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
            description =
                    "sqlite:PATH; postgresql:// or mysql:// with USER:PASSWORD@HOST:PORT/DATABASE; redis://, rediss://,"
                            + " redis-sentinel:// or redis-cluster:// with USER:PASSWORD@HOST:PORT"
                            + " (otherwise the environment's " + VARIABLE + ").")
    private @Nullable String uri;

    /** @throws ParameterException when no store is named, or its name means nothing */
    Place place() {
        return place(named());
    }

    /**
     * The store that an argument names, in the place of the option.
     *
     * @throws ParameterException when the option names one, too, or the argument means nothing
     */
    Place placeOf(String argument) {
        if (uri != null) {
            throw wrong("name the store once: with --store, or without it");
        }
        return place(argument);
    }

    private Place place(String named) {
        StoreUri database;
        try {
            if (RedisUri.isRedis(named)) {
                return new RedisPlace(RedisUri.parse(named));
            }
            database = StoreUri.parse(named);
        } catch (IllegalArgumentException e) {
            throw wrong("--store: " + e.getMessage());
        }
        if (database instanceof StoreUri.Memory) {
            throw wrong("--store: memory: is inside another process and cannot be reached from here");
        }
        return new DatabasePlace(database);
    }

    private String named() {
        String named = uri == null ? System.getenv(VARIABLE) : uri;
        if (named == null || named.isBlank()) {
            throw wrong("which store? Name it with --store URI or in the environment's " + VARIABLE);
        }
        return named;
    }

    /** @throws ParameterException when the store is not one in Redis */
    RedisUri redis() {
        if (place() instanceof RedisPlace redis) {
            return redis.uri();
        }
        throw wrong("--store: only a store in Redis can be in need of this; databases keep their indexes themselves");
    }

    /** Opens the store: a command that only looks must not refuse what the application has accepted. */
    Store open() {
        Place place = place();
        try {
            return place.open(true);
        } catch (StoreException e) {
            String words = String.valueOf(e.getMessage());
            throw new StoreException(words.contains(place.toString()) ? words : place + ": " + words, e);
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
