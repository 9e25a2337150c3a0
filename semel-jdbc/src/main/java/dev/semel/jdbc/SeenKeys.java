package dev.semel.jdbc;

import dev.semel.Identity;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A guess which keys have records: those that were seen here lately.
 *
 * <p>A wrong guess costs a little time and changes no answer. So it may forget, and take one key for another.
 */
final class SeenKeys {

    /** A quarter of a megabyte; keys are retried within seconds, and few services get more new ones in that time. */
    private static final int SLOTS = 1 << 16;

    private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);

    boolean contains(Identity identity) {
        int mark = mark(identity);
        return slots.getPlain(slot(mark)) == mark;
    }

    void add(Identity identity) {
        int mark = mark(identity);
        slots.setPlain(slot(mark), mark);
    }

    void remove(Identity identity) {
        slots.setPlain(slot(mark(identity)), 0);
    }

    /** Never zero, which an empty slot holds. */
    private static int mark(Identity identity) {
        int hash = identity.hashCode() * 0x9E3779B9;
        return hash == 0 ? 1 : hash;
    }

    private static int slot(int mark) {
        return mark >>> 16;
    }
}
