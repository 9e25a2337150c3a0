package dev.semel.redis.doctor;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a scan of all keys has found.
 *
 * @param inspected how many keys were inspected
 * @param repaired whether repairable defects were repaired
 * @param counts how often each defect was found; absent if never
 * @param examples some records of each defect, with their keys redacted, and indexes by their names
 */
public record RedisRepairReport(
        long inspected, boolean repaired, Map<RedisDefect, Long> counts, Map<RedisDefect, List<String>> examples) {

    /** Enough to recognize the scopes of the records. */
    public static final int MAX_EXAMPLES = 5;

    public RedisRepairReport {
        counts = ordered(counts);
        examples = ordered(examples);
    }

    private static <T> Map<RedisDefect, T> ordered(Map<RedisDefect, T> map) {
        Map<RedisDefect, T> copy = new EnumMap<>(RedisDefect.class);
        copy.putAll(map);
        return Collections.unmodifiableMap(copy);
    }

    /** Whether no defect was found. */
    public boolean isClean() {
        return counts.isEmpty();
    }
}
