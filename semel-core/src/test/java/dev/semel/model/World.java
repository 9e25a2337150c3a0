package dev.semel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Everything at one moment: the record, who works on it, and the provider's books.
 *
 * @param strays requests on their way to the provider whose sender has crashed or gone
 * @param effects how often the provider has executed since the key was last free
 * @param crashes how many have happened
 * @param refused of whose refusals the provider may still send a webhook
 */
record World(
        Entry entry,
        List<Worker> workers,
        List<Inquiry> inquiries,
        Strays strays,
        int effects,
        int crashes,
        Refused refused) {

    /** An attempt sends one request: at most one of them belongs to the record's last attempt. */
    record Strays(boolean current, int earlier) {

        /** How many earlier ones are explored at once; a world without a second execution never has one. */
        static final int MOST_EARLIER = 1;

        static final Strays NONE = new Strays(false, 0);

        Strays plus(boolean ofCurrent) {
            return ofCurrent ? new Strays(true, earlier) : new Strays(current, earlier + 1);
        }

        Strays minus(boolean ofCurrent) {
            return ofCurrent ? new Strays(false, earlier) : new Strays(current, earlier - 1);
        }

        Strays outdated() {
            return current ? new Strays(false, earlier + 1) : this;
        }

        int count() {
            return earlier + (current ? 1 : 0);
        }

        int code() {
            return earlier << 1 | (current ? 1 : 0);
        }
    }

    /** Attempts whose request the provider has refused. */
    record Refused(boolean current, boolean earlier) {

        static final Refused NONE = new Refused(false, false);

        Refused plus(boolean ofCurrent) {
            return new Refused(current || ofCurrent, earlier || !ofCurrent);
        }

        Refused outdated() {
            return new Refused(false, earlier || current);
        }

        int code() {
            return (current ? 2 : 0) | (earlier ? 1 : 0);
        }
    }

    static World of(int workers, int reconcilers) {
        return new World(
                Entry.ABSENT,
                Stream.generate(() -> Worker.IDLE).limit(workers).toList(),
                Stream.generate(() -> Inquiry.IDLE).limit(reconcilers).toList(),
                Strays.NONE,
                0,
                0,
                Refused.NONE);
    }

    World with(Entry other) {
        return new World(other, workers, inquiries, strays, effects, crashes, refused);
    }

    World with(int number, Worker worker) {
        return new World(entry, replaced(workers, number, worker), inquiries, strays, effects, crashes, refused);
    }

    World with(int number, Inquiry inquiry) {
        return new World(entry, workers, replaced(inquiries, number, inquiry), strays, effects, crashes, refused);
    }

    World with(Strays other) {
        return new World(entry, workers, inquiries, other, effects, crashes, refused);
    }

    World withEffects(int other) {
        return new World(entry, workers, inquiries, strays, other, crashes, refused);
    }

    World with(Refused other) {
        return new World(entry, workers, inquiries, strays, effects, crashes, other);
    }

    World afterCrash() {
        return new World(entry, workers, inquiries, strays, effects, crashes + 1, refused);
    }

    /** The worker stops caring: what it had on its way is on its way without it. */
    World leftBy(int number) {
        Worker worker = workers.get(number);
        World left = worker.isFlying() ? with(strays.plus(worker.current())) : this;
        return left.with(number, Worker.IDLE);
    }

    /** Every lease so far has become an old one. */
    World outdated() {
        return new World(
                entry,
                workers.stream().map(Worker::outdated).toList(),
                inquiries.stream().map(Inquiry::outdated).toList(),
                strays.outdated(),
                effects,
                crashes,
                refused.outdated());
    }

    /**
     * The same world with smaller numbers of tries. Past the limit it only matters which are equal, so those are numbered
     * anew from there; otherwise slow reconcilers that take turns would count for ever.
     */
    World countedUpTo(int limit) {
        int[] beyond = IntStream.concat(
                        IntStream.of(entry.tries()), inquiries.stream().mapToInt(Inquiry::tries))
                .filter(tries -> tries >= limit)
                .sorted()
                .distinct()
                .toArray();
        IntUnaryOperator counted = tries -> tries < limit ? tries : limit + Arrays.binarySearch(beyond, tries);
        return new World(
                entry.withTries(counted.applyAsInt(entry.tries())),
                workers,
                inquiries.stream()
                        .map(inquiry -> inquiry.withTries(counted.applyAsInt(inquiry.tries())))
                        .toList(),
                strays,
                effects,
                crashes,
                refused);
    }

    private static <T> List<T> replaced(List<T> list, int number, T item) {
        List<T> copy = new ArrayList<>(list);
        copy.set(number, item);
        return List.copyOf(copy);
    }

    boolean hasFlying() {
        return strays.count() > 0 || workers.stream().anyMatch(Worker::isFlying);
    }

    boolean hasUnsent() {
        return workers.stream().anyMatch(Worker::mayStillSend);
    }

    /** The same for worlds that differ only in which worker, or which reconciler, is which. */
    long key() {
        int[] codes = new int[workers.size()];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = workers.get(i).code();
        }
        Arrays.sort(codes);
        long key = entry.code();
        for (int code : codes) {
            key = key << 6 | code;
        }
        codes = new int[inquiries.size()];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = inquiries.get(i).code();
        }
        Arrays.sort(codes);
        for (int code : codes) {
            key = key << 8 | code;
        }
        key = key << 3 | strays.code();
        key = key << 2 | effects;
        key = key << 2 | crashes;
        return key << 2 | refused.code();
    }

    @Override
    public String toString() {
        int flying =
                strays.count() + (int) workers.stream().filter(Worker::isFlying).count();
        return entry + "; " + (effects == 1 ? "1 effect" : effects + " effects")
                + (flying == 0 ? "" : ", " + flying + " on the way");
    }
}
