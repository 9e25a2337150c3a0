package dev.semel.redis;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a walk over all keys has found.
 *
 * @param looked how many keys were looked at
 * @param mended whether what could be mended was
 * @param counts how often each defect was found; those that were not found are absent
 * @param examples some records of each, with their keys redacted, and indexes by their names
 */
public record RedisRepairReport(
        long looked, boolean mended, Map<RedisDefect, Long> counts, Map<RedisDefect, List<String>> examples) {

    /** Enough to recognize whose records they are. */
    public static final int MOST_EXAMPLES = 5;

    public RedisRepairReport {
        counts = ordered(counts);
        examples = ordered(examples);
    }

    private static <T> Map<RedisDefect, T> ordered(Map<RedisDefect, T> map) {
        Map<RedisDefect, T> copy = new EnumMap<>(RedisDefect.class);
        copy.putAll(map);
        return Collections.unmodifiableMap(copy);
    }

    /** Whether all is as it should be. */
    public boolean isClean() {
        return counts.isEmpty();
    }
}
