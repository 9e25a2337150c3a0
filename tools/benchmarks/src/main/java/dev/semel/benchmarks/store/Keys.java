package dev.semel.benchmarks.store;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Keys as clients make them: unique, and in no order that an index could profit from. */
public final class Keys {

    private final String purpose;
    private final long seed;
    private final AtomicLong last = new AtomicLong();

    /** @param purpose keeps keys of different purposes apart; it comes last, so that all of them lie among each other */
    public Keys(String purpose) {
        this.purpose = purpose;
        this.seed = (long) purpose.hashCode() << 32;
    }

    /** A new key. */
    public String next() {
        return at(last.incrementAndGet());
    }

    /** The key of a number. */
    public String at(long number) {
        return HexFormat.of().toHexDigits(mixed(seed ^ number)) + "-" + purpose;
    }

    /** Finalizer of SplitMix64: different numbers stay different. */
    private static long mixed(long number) {
        long mixed = number * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
