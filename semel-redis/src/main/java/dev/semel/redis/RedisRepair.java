package dev.semel.redis;

import dev.semel.StoreException;
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
import java.util.function.UnaryOperator;

/**
 * Looks at every key of a store in Redis, on every primary, for what somebody has broken past the store: a record without
 * the end that it should have, an open one with an end, one that an index lacks.
 *
 * <ol>
 *   <li>Keys are walked with {@code SCAN}, some hundred at a time, beside the traffic.
 *   <li>Each is judged, and where wanted mended, by one script: nobody sees it half mended, and what a request does at the
 *       same moment is before or after.
 *   <li>Mending puts a record into its indexes and moves its end away; it changes no record, and lets none end sooner.
 * </ol>
 *
 * <p>A key that a cluster moves to another primary meanwhile can be missed, as can one that is written meanwhile.
 */
public final class RedisRepair {

    /** Redis does nothing else meanwhile: walking over so many keys takes it some tenths of a millisecond. */
    private static final int KEYS_AT_ONCE = 200;

    private static final String RECORD = "}:r:";

    private final Link link;
    private final Script inspect;
    private final boolean mend;
    private final RedisOptions options;
    private final Map<RedisDefect, Long> counts = new EnumMap<>(RedisDefect.class);
    private final Map<RedisDefect, List<String>> examples = new EnumMap<>(RedisDefect.class);
    private long looked;

    private RedisRepair(Link link, Script inspect, boolean mend) {
        this.link = link;
        this.inspect = inspect;
        this.mend = mend;
        this.options = link.uri().options();
    }

    /**
     * Looks, and mends nothing.
     *
     * @throws StoreException when Redis cannot be reached, or has no such store
     */
    public static RedisRepairReport look(RedisUri uri) {
        return run(uri, false);
    }

    /**
     * Mends what can be mended.
     *
     * @throws StoreException when Redis cannot be reached, or has no such store
     */
    public static RedisRepairReport mend(RedisUri uri) {
        return run(uri, true);
    }

    private static RedisRepairReport run(RedisUri uri, boolean mend) {
        try (Link link = Link.open(uri)) {
            RedisStartup.requireExisting(link);
            return run(link, new Scripts(UnaryOperator.identity()), mend);
        }
    }

    static RedisRepairReport run(Link link, Scripts scripts, boolean mend) {
        return new RedisRepair(link, scripts.of(Scripts.Verb.INSPECT), mend).run();
    }

    private RedisRepairReport run() {
        link.servers().values().forEach(this::walk);
        return new RedisRepairReport(looked, mend, counts, examples);
    }

    private void walk(RedisClusterAsyncCommands<byte[], byte[]> server) {
        ScanArgs ours = KeyScanArgs.Builder.matches(options.prefix() + ":{*}*").limit(KEYS_AT_ONCE);
        KeyScanCursor<byte[]> page = link.await(server.scan(ours));
        judge(page.getKeys());
        while (!page.isFinished()) {
            page = link.await(server.scan(ScanCursor.of(page.getCursor()), ours));
            judge(page.getKeys());
        }
    }

    private void judge(List<byte[]> keys) {
        List<CompletionStage<List<RedisDefect>>> asked =
                keys.stream().map(this::inspect).toList();
        for (int i = 0; i < keys.size(); i++) {
            byte[] key = keys.get(i);
            looked++;
            link.await(asked.get(i)).forEach(defect -> note(defect, key));
        }
    }

    private CompletionStage<List<RedisDefect>> inspect(byte[] key) {
        return link.<List<Object>, List<RedisDefect>>run(
                inspect,
                ScriptOutputType.MULTI,
                new byte[][] {rootOf(key), key, namelessOf(key)},
                RedisRepair::defects,
                RedisStore.bytes(mend ? "1" : "0"),
                RedisStore.number(RecordFormat.micros(options.keepMarked())));
    }

    private static List<RedisDefect> defects(List<Object> words) {
        return words.stream()
                .map(word -> RedisDefect.of(new String((byte[]) word, StandardCharsets.US_ASCII)))
                .toList();
    }

    /** Up to the brace that ends the shard's number: neither prefix nor number holds one. */
    /** The key that never exists: while the slot moves, the script does not run, and would not see all of the shard. */
    private static byte[] namelessOf(byte[] key) {
        byte[] root = rootOf(key);
        return Arrays.copyOf(key, root.length + Layout.RECORD.length());
    }

    private static byte[] rootOf(byte[] key) {
        int end = 0;
        while (key[end] != '}') {
            end++;
        }
        byte[] root = new byte[end + 1];
        System.arraycopy(key, 0, root, 0, root.length);
        return root;
    }

    private void note(RedisDefect defect, byte[] key) {
        counts.merge(defect, 1L, Long::sum);
        List<String> shown = examples.computeIfAbsent(defect, none -> new ArrayList<>());
        if (shown.size() < RedisRepairReport.MOST_EXAMPLES) {
            shown.add(nameOf(key));
        }
    }

    /** As it may be shown: a record's key as the hash that logs have, an index by its name. */
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
