package dev.semel.model;

import java.util.Arrays;

/** Numbers the distinct longs it is given from 0 on: millions of them, without an object for each. */
final class LongIndex {

    private static final int FREE = -1;

    private long[] keys = new long[1 << 12];
    private int[] indexes = free(keys.length);
    private int size;

    private static int[] free(int length) {
        int[] all = new int[length];
        Arrays.fill(all, FREE);
        return all;
    }

    /** The number of this key: the next one when it is new. */
    int indexOf(long key) {
        if (size * 2 > keys.length) {
            grow();
        }
        int slot = slotOf(key);
        if (indexes[slot] == FREE) {
            keys[slot] = key;
            indexes[slot] = size++;
        }
        return indexes[slot];
    }

    private int slotOf(long key) {
        int slot = mixed(key) & (keys.length - 1);
        while (indexes[slot] != FREE && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    /** Every bit of the key changes the lower half of the result, from which the slot is taken (MurmurHash3's finish). */
    private static int mixed(long key) {
        long hash = (key ^ (key >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return (int) (hash ^ (hash >>> 33));
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldIndexes = indexes;
        keys = new long[oldKeys.length * 2];
        indexes = free(keys.length);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldIndexes[i] != FREE) {
                int slot = slotOf(oldKeys[i]);
                keys[slot] = oldKeys[i];
                indexes[slot] = oldIndexes[i];
            }
        }
    }
}
