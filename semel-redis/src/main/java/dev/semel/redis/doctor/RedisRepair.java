package dev.semel.redis.doctor;

import dev.semel.StoreException;
import dev.semel.redis.connection.Link;
import dev.semel.redis.connection.Script;
import dev.semel.redis.record.Layout;
import dev.semel.redis.record.RecordFormat;
import dev.semel.redis.script.Arguments;
import dev.semel.redis.script.Scripts;
import dev.semel.redis.uri.RedisOptions;
import dev.semel.redis.uri.RedisUri;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Inspects every key of a store in Redis, on every primary, for damage by other programs: a settled record without a TTL, an
 * open one with a TTL, a record that is missing from an index.
 *
 * <ol>
 *   <li>Keys are read with {@code SCAN}, a few hundred at a time, while the store is in use.
 *   <li>One script inspects a key, and repairs it if wanted: no request sees a half-repaired record.
 *   <li>A repair adds a record to its indexes and extends its TTL; it changes no record, and shortens no TTL.
 * </ol>
 *
 * <p>A key that a cluster moves to another primary during the scan can be missed, and so can one that is written during it.
 */
public final class RedisRepair {

    /** The page size of a {@code SCAN}: a page blocks Redis for some tenths of a millisecond. */
    private static final int PAGE_KEYS = 200;

    private static final String RECORD = "}:r:";

    private final Link link;
    private final Script inspectScript;
    private final boolean repair;
    private final RedisOptions options;
    private final Map<RedisDefect, Long> counts = new EnumMap<>(RedisDefect.class);
    private final Map<RedisDefect, List<String>> examples = new EnumMap<>(RedisDefect.class);
    private long inspected;

    private RedisRepair(Link link, Script inspectScript, boolean repair) {
        this.link = link;
        this.inspectScript = inspectScript;
        this.repair = repair;
        this.options = link.uri().options();
    }

    /**
     * Inspects every key, and changes nothing.
     *
     * @throws StoreException when Redis cannot be reached, or has no such store
     */
    public static RedisRepairReport inspect(RedisUri uri) {
        return run(uri, false);
    }

    /**
     * Inspects every key, and repairs what can be repaired.
     *
     * @throws StoreException when Redis cannot be reached, or has no such store
     */
    public static RedisRepairReport repair(RedisUri uri) {
        return run(uri, true);
    }

    private static RedisRepairReport run(RedisUri uri, boolean repair) {
        try (Link link = Link.open(uri)) {
            StartupCheck.requireExisting(link);
            return run(link, new Scripts(), repair);
        }
    }

    static RedisRepairReport run(Link link, Scripts scripts, boolean repair) {
        return new RedisRepair(link, scripts.of(Scripts.Verb.INSPECT), repair).run();
    }

    private RedisRepairReport run() {
        link.servers().values().forEach(this::scan);
        return new RedisRepairReport(inspected, repair, counts, examples);
    }

    private void scan(RedisClusterAsyncCommands<byte[], byte[]> server) {
        ScanArgs ownKeys =
                KeyScanArgs.Builder.matches(options.prefix() + ":{*}*").limit(PAGE_KEYS);
        KeyScanCursor<byte[]> page = link.await(server.scan(ownKeys));
        inspectAll(page.getKeys());
        while (!page.isFinished()) {
            page = link.await(server.scan(ScanCursor.of(page.getCursor()), ownKeys));
            inspectAll(page.getKeys());
        }
    }

    private void inspectAll(List<byte[]> keys) {
        List<CompletionStage<List<RedisDefect>>> replies =
                keys.stream().map(this::inspect).toList();
        for (int i = 0; i < keys.size(); i++) {
            byte[] key = keys.get(i);
            inspected++;
            link.await(replies.get(i)).forEach(defect -> count(defect, key));
        }
    }

    private CompletionStage<List<RedisDefect>> inspect(byte[] key) {
        return link.<List<Object>, List<RedisDefect>>run(
                inspectScript,
                ScriptOutputType.MULTI,
                new byte[][] {rootOf(key), key, namelessOf(key)},
                RedisRepair::defects,
                Arguments.flag(repair),
                Arguments.number(RecordFormat.micros(options.keepMarked())),
                Arguments.number(RecordFormat.micros(options.tombstones())));
    }

    private static List<RedisDefect> defects(List<Object> codes) {
        return codes.stream()
                .map(code -> RedisDefect.of(new String((byte[]) code, StandardCharsets.US_ASCII)))
                .toList();
    }

    /** The key that never exists, by which a cluster refuses the script while the slot moves: see {@link Layout}. */
    private static byte[] namelessOf(byte[] key) {
        byte[] root = rootOf(key);
        return Arrays.copyOf(key, root.length + Layout.RECORD.length());
    }

    /** The start of a key up to the closing brace: neither the prefix nor the shard's number contains one. */
    private static byte[] rootOf(byte[] key) {
        int end = 0;
        while (key[end] != '}') {
            end++;
        }
        byte[] root = new byte[end + 1];
        System.arraycopy(key, 0, root, 0, root.length);
        return root;
    }

    private void count(RedisDefect defect, byte[] key) {
        counts.merge(defect, 1L, Long::sum);
        List<String> shown = examples.computeIfAbsent(defect, none -> new ArrayList<>());
        if (shown.size() < RedisRepairReport.MAX_EXAMPLES) {
            shown.add(nameOf(key));
        }
    }

    /** The name to show: a record's key as the hash that logs have, an index by its name. */
    private static String nameOf(byte[] key) {
        String name = new String(key, StandardCharsets.UTF_8);
        int record = name.indexOf(RECORD);
        if (record < 0) {
            return name;
        }
        byte[] member = name.substring(record + RECORD.length()).getBytes(StandardCharsets.UTF_8);
        try {
            return Layout.identity(member).toString();
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            return name.substring(0, record + RECORD.length()) + "…";
        }
    }
}
