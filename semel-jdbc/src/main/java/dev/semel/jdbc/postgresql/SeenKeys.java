package dev.semel.jdbc.postgresql;

import dev.semel.Identity;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A guess which keys have records: those that were seen here lately.
 *
 * <p>A wrong guess costs a little time and changes no answer. So it may forget keys, and mistake one key for another.
 */
final class SeenKeys {

    /** A quarter of a megabyte; keys are retried within seconds, and few services get more new ones in that time. */
    private static final int SLOTS = 1 << 16;

    /** Neighbours: each key has one of so many slots, and the oldest of them is forgotten first. */
    private static final int WAYS = 4;

    private final AtomicIntegerArray slots = new AtomicIntegerArray(SLOTS);

    boolean contains(Identity identity) {
        return slotOf(mark(identity)) >= 0;
    }

    void add(Identity identity) {
        int mark = mark(identity);
        if (slotOf(mark) >= 0) {
            return;
        }
        int first = first(mark);
        for (int slot = first + WAYS - 1; slot > first; slot--) {
            slots.setPlain(slot, slots.getPlain(slot - 1));
        }
        slots.setPlain(first, mark);
    }

    void remove(Identity identity) {
        int slot = slotOf(mark(identity));
        if (slot >= 0) {
            slots.setPlain(slot, 0);
        }
    }

    private int slotOf(int mark) {
        int first = first(mark);
        for (int slot = first; slot < first + WAYS; slot++) {
            if (slots.getPlain(slot) == mark) {
                return slot;
            }
        }
        return -1;
    }

    /** Never zero, which an empty slot holds. */
    private static int mark(Identity identity) {
        int hash = identity.hashCode() * 0x9E3779B9;
        return hash == 0 ? 1 : hash;
    }

    private static int first(int mark) {
        return (mark >>> 16) / WAYS * WAYS;
    }
}
