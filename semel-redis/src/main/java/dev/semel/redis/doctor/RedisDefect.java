package dev.semel.redis.doctor;

import java.util.Arrays;

/** A defect of a record or an index in Redis. The store's scripts cause none: another program has changed the key. */
public enum RedisDefect {
    /** In progress or unknown, but with a TTL: once Redis has deleted it, its effect can happen again. */
    OPEN_WITH_TTL("open-with-ttl", "in progress or unknown, but has a TTL: Redis would delete it", true),
    /** Settled, but with a TTL that ends before its retention: its effect can happen again. */
    TTL_TOO_SHORT("ttl-too-short", "settled, but its TTL ends before its retention", true),
    /** Settled, but without a TTL: it takes up memory for ever. */
    SETTLED_WITHOUT_TTL("settled-without-ttl", "settled, but has no TTL: Redis would keep it for ever", true),
    /** Missing from the index of pruning, of the sweeper or of the list of unknown outcomes. */
    MISSING_FROM_INDEX("missing-from-index", "missing from its index: pruning, sweeper or listing would skip it", true),
    /** Unknown, but missing from the reconciler's index. */
    MISSING_FROM_DUE_INDEX("missing-from-due-index", "unknown, but missing from the reconciler's index", true),
    /** No record of this release. Claims of its key fail until a person has examined it. */
    UNREADABLE("unreadable", "damaged, or written by a later release: left unchanged", false);

    private final String code;
    private final String meaning;
    private final boolean repairable;

    RedisDefect(String code, String meaning, boolean repairable) {
        this.code = code;
        this.meaning = meaning;
        this.repairable = repairable;
    }

    /** Describes the defect, for an operator. */
    public String meaning() {
        return meaning;
    }

    /** Whether {@link RedisRepair} can repair it. */
    public boolean isRepairable() {
        return repairable;
    }

    /** Returns the defect of a code in {@code inspect.lua}. */
    static RedisDefect of(String code) {
        return Arrays.stream(values())
                .filter(defect -> defect.code.equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown code of a defect: " + code));
    }
}
