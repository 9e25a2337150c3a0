package dev.semel.fingerprint;

import java.util.Arrays;

/**
 * The members of every object that is not yet finished: where in the output each of them starts.
 *
 * <p>Members of one object follow each other with a comma between them, so that one number per member is enough. Those of
 * an inner object lie on top of those of the outer one and go when it is finished.
 */
final class Members {

    /** Runs of this many are sorted by insertion, which for so few is faster than merging. */
    private static final int SHORT_RUN = 8;

    private final ByteSink out;
    private int[] starts = new int[16];
    private int size;
    private int[] order = {};
    private int[] merged = {};
    private byte[] unsorted = {};

    Members(ByteSink out) {
        this.out = out;
    }

    int size() {
        return size;
    }

    void add(int start) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
        }
        starts[size++] = start;
    }

    /** Whether the name of the last member follows that of the one before it. */
    boolean isLastInOrder() {
        return NameOrder.compare(out.array(), starts[size - 2], starts[size - 1]) < 0;
    }

    void truncate(int newSize) {
        size = newSize;
    }

    /** Rewrites the end of the output, which holds the members from this one on, in the order of their names. */
    void sort(int first) throws NotCanonicalException {
        int count = size - first;
        sortStarts(first, count);
        int from = starts[first];
        int to = out.size();
        if (unsorted.length < to - from) {
            unsorted = new byte[Math.max(to - from, 2 * unsorted.length)];
        }
        out.copyTo(unsorted, from, to);
        for (int i = 1; i < count; i++) {
            if (NameOrder.compare(out.array(), order[i - 1], order[i]) == 0) {
                throw new NotCanonicalException("an object has two members of one name");
            }
        }
        out.truncate(from);
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(unsorted, order[i] - from, endOf(order[i], first, to) - order[i]);
        }
    }

    /** Where the member that starts here ended before sorting: one comma before the next one's start. */
    private int endOf(int start, int first, int to) {
        int next = Arrays.binarySearch(starts, first, size, start) + 1;
        return next < size ? starts[next] - 1 : to;
    }

    private void sortStarts(int first, int count) {
        if (order.length < count) {
            order = new int[count];
        }
        System.arraycopy(starts, first, order, 0, count);
        for (int from = 0; from < count; from += SHORT_RUN) {
            insertionSort(from, Math.min(from + SHORT_RUN, count));
        }
        if (count > SHORT_RUN && merged.length < count) {
            merged = new int[count];
        }
        for (int run = SHORT_RUN; run < count; run *= 2) {
            for (int from = 0; from < count; from += 2 * run) {
                merge(from, Math.min(from + run, count), Math.min(from + 2 * run, count));
            }
            int[] sorted = merged;
            merged = order;
            order = sorted;
        }
    }

    private void insertionSort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int start = order[i];
            int j = i;
            while (j > from && NameOrder.compare(out.array(), order[j - 1], start) > 0) {
                order[j] = order[j - 1];
                j--;
            }
            order[j] = start;
        }
    }

    private void merge(int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft =
                    right == to || (left < middle && NameOrder.compare(out.array(), order[left], order[right]) <= 0);
            merged[i] = takeLeft ? order[left++] : order[right++];
        }
    }
}
