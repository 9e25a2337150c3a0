package dev.semel.jdbc.internal;

import java.time.Duration;

/**
 * The table of what is left of deleted records.
 *
 * <p>One row in it is no tombstone: under the digest of zeros, the highest time at which records were deleted for their age. A
 * clock that is set back does not make keys fresh whose records were deleted before.
 *
 * @param present whether there is one: the tables of earlier releases lack it
 * @param keep how long tombstones are kept; zero for none
 */
public record TombstoneTable(boolean present, Duration keep) {

    /** No table. */
    public static final TombstoneTable ABSENT = new TombstoneTable(false, Duration.ZERO);

    private static final int DIGEST_BYTES = 16;

    /** Whether deleted records leave tombstones. */
    public boolean keepsTombstones() {
        return !keep.isZero();
    }

    /** The row that is no tombstone. */
    public static byte[] mark() {
        return new byte[DIGEST_BYTES];
    }

    /** Checks what an application has set. */
    public static void require(Duration tombstones) {
        if (tombstones.isNegative()) {
            throw new IllegalArgumentException(
                    "tombstones is " + tombstones + ": give how long to keep them, or zero for none");
        }
        Micros.require(tombstones);
    }

    /** What to do about a table that is missing though tombstones are wanted. */
    public static String missing(String database) {
        return "tombstones are switched on, but there is no table semel_tombstone that this user may write: run what"
                + " `semel schema " + database + "` prints, or switch them off";
    }
}
