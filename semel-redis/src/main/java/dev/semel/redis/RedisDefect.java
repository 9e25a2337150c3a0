package dev.semel.redis;

import java.util.Arrays;

/** Something wrong with a record or an index in Redis. No script of this store leaves it so: somebody else has been there. */
public enum RedisDefect {
    /** In progress or unknown, but Redis is to forget it: its effect would happen again. */
    ENDS_BUT_IS_OPEN("ends-but-is-open", "open, but Redis would forget it", true),
    /** Settled, and to be forgotten before its retention is over: its effect would happen again. */
    ENDS_TOO_SOON("ends-too-soon", "settled, but Redis would forget it before its retention ends", true),
    /** Settled, and never to be forgotten: it takes up memory for ever. */
    HAS_NO_END("has-no-end", "settled, but without a TTL", true),
    /** Not where pruning, the sweeper or a person look for it. */
    NOT_IN_ITS_INDEX("not-in-its-index", "not in the index that finds it", true),
    /** Unknown, and not where the reconciler looks for it. */
    NOBODY_WOULD_ASK("nobody-would-ask", "unknown, but the reconciler would not find it", true),
    /** Not a record of this release. Its key is refused until a person has looked at it. */
    UNREADABLE("unreadable", "damaged, or of a later release: left as it is", false);

    private final String word;
    private final String meaning;
    private final boolean mendable;

    RedisDefect(String word, String meaning, boolean mendable) {
        this.word = word;
        this.meaning = meaning;
        this.mendable = mendable;
    }

    /** For a person. */
    public String meaning() {
        return meaning;
    }

    public boolean mendable() {
        return mendable;
    }

    /** As {@code inspect.lua} says it. */
    static RedisDefect of(String word) {
        return Arrays.stream(values())
                .filter(defect -> defect.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no defect is called " + word));
    }
}
