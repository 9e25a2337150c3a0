package dev.semel.benchmarks.redis;

import dev.semel.Operation;
import dev.semel.Response;
import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.benchmarks.load.AsyncCall;
import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.Payload;
import dev.semel.benchmarks.store.ReplayedKeys;
import dev.semel.spi.Transitions;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit: the very scripts of Semel's Redis store with the same arguments, sent through the same client on one shared
 * connection, and nothing around them: no engine, no timeouts, no answers that are understood.
 */
final class BareScripts implements AutoCloseable {

    private static final Operation OPERATION = Operation.named("bench");
    private static final byte[] RESPONSE = Response.of(Payload.response()).bytes();
    private static final int NANOS_PER_MICRO = 1_000;

    /** Where an answer to a claim has the fence: behind what every answer begins with, the format, the state and flags. */
    private static final int FENCE_AT = 1 + Long.BYTES + 3;

    /** As long as those of the engine. */
    private static final byte[] HOLDER = bytes("0123456789abcdef0123456789abcdef");

    private static final byte SETTLED = 1;

    private static final byte[] NO = bytes("0");
    private static final byte[] NO_TIME = bytes("0");
    private static final byte[] NO_TOMBSTONES = bytes("0");

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> commands;
    private final String root;
    private final String claim;
    private final String settle;
    private final byte[] operation = bytes(OPERATION.name());
    private final byte[] fingerprint = bytes(Payload.FINGERPRINT.value());
    private final byte[] lease = bytes(Long.toString(OPERATION.lease().toNanos() / NANOS_PER_MICRO));
    private final byte[] retention = bytes(Long.toString(OPERATION.retention().toNanos() / NANOS_PER_MICRO));
    private final byte[] source = bytes(Transitions.LATE_ANSWER.source());
    private final byte[] detail = bytes(Transitions.LATE_ANSWER.detail());

    BareScripts(RedisPlace place) throws IOException {
        connection = place.client().connect(ByteArrayCodec.INSTANCE);
        commands = connection.async();
        root = place.prefix() + ":{0}";
        claim = loaded("", "common", "replay", "record", "claim");
        settle = loaded("#!lua flags=allow-oom\n", "common", "record", "settle");
    }

    /** A script as the store puts it together. */
    private String loaded(String first, String... files) throws IOException {
        List<String> texts = new ArrayList<>();
        for (String file : files) {
            texts.add(text(file));
        }
        return connection.sync().scriptLoad(bytes(first + String.join("\n", texts)));
    }

    private static String text(String name) throws IOException {
        String path = "/dev/semel/redis/script/" + name + ".lua";
        try (InputStream in = BareScripts.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IOException(path + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[][] keys(String key) {
        return new byte[][] {bytes(root), bytes(root + ":r:" + Payload.SCOPE + "\t" + key), bytes(root + ":r:")};
    }

    private RedisFuture<List<byte[]>> claim(String key) {
        return commands.evalsha(
                claim,
                ScriptOutputType.MULTI,
                keys(key),
                operation,
                fingerprint,
                HOLDER,
                lease,
                NO,
                NO_TIME,
                NO_TIME,
                NO,
                NO_TOMBSTONES);
    }

    private RedisFuture<List<byte[]>> settle(String key, List<byte[]> claimed) {
        long fence = ByteBuffer.wrap(claimed.get(0)).getLong(FENCE_AT);
        return commands.evalsha(
                settle,
                ScriptOutputType.MULTI,
                keys(key),
                bytes(Long.toString(fence)),
                bytes("2"),
                retention,
                RESPONSE,
                NO,
                bytes(""),
                source,
                detail,
                NO_TOMBSTONES);
    }

    private static void requireSettled(List<byte[]> answers) {
        if (answers.get(0)[0] != SETTLED) {
            throw new IllegalStateException("the bare loop could not settle");
        }
    }

    Call pairs(Keys keys) {
        return () -> {
            String key = keys.next();
            List<byte[]> claimed = claim(key).toCompletableFuture().join();
            requireSettled(settle(key, claimed).toCompletableFuture().join());
        };
    }

    AsyncCall asyncPairs(Keys keys) {
        return () -> {
            String key = keys.next();
            return claim(key).thenCompose(claimed -> settle(key, claimed)).thenAccept(BareScripts::requireSettled);
        };
    }

    /** Puts a value as large as a replay's answer beside each completed record. */
    void fill(ReplayedKeys replayed) {
        int length = claim(replayed.any()).toCompletableFuture().join().get(0).length;
        byte[] value = new byte[length];
        replayed.all().forEach(key -> connection.sync().set(valueKey(key), value));
    }

    private byte[] valueKey(String key) {
        return bytes(root + ":value:" + Payload.SCOPE + "\t" + key);
    }

    private RedisFuture<byte[]> get(String key) {
        return commands.get(valueKey(key));
    }

    private static void requireValue(byte[] value) {
        if (value.length == 0) {
            throw new IllegalStateException("a value was to be there");
        }
    }

    Call gets(ReplayedKeys keys) {
        return () -> requireValue(get(keys.any()).toCompletableFuture().join());
    }

    AsyncCall asyncGets(ReplayedKeys keys) {
        return () -> get(keys.any()).thenAccept(BareScripts::requireValue);
    }

    @Override
    public void close() {
        connection.close();
    }
}
