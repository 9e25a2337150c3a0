package dev.semel.benchmarks.http;

import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.redis.uri.RedisUri;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keys in Redis: {@code SET NX} and later {@code SET}, each for a day, on the one connection that callers share. */
final class RedisKeyTable implements KeyTable {

    private static final Duration DAY = Duration.ofDays(1);

    /** What a key holds until there is a response. */
    private static final String CLAIMED = "claimed";

    private static final String SEPARATOR = "\n";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String prefix;

    RedisKeyTable(RedisUri uri) {
        client = RedisClient.create(RedisPlace.lettuceUri(uri));
        connection = client.connect();
        prefix = uri.options().prefix() + ":hand:";
    }

    @Override
    public boolean insert(String key) {
        return connection.sync().set(prefix + key, CLAIMED, SetArgs.Builder.nx().ex(DAY)) != null;
    }

    @Override
    public void update(String key, Saved response) {
        String value = response.status()
                + SEPARATOR
                + response.contentType()
                + SEPARATOR
                + new String(response.body(), StandardCharsets.UTF_8);
        connection.sync().set(prefix + key, value, SetArgs.Builder.ex(DAY));
    }

    @Override
    public @Nullable Saved find(String key) {
        String value = connection.sync().get(prefix + key);
        if (value == null || value.equals(CLAIMED)) {
            return null;
        }
        String[] parts = value.split(SEPARATOR, 3);
        return new Saved(Integer.parseInt(parts[0]), parts[1], parts[2].getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
