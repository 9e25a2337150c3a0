package dev.semel.server.simulate;

import java.util.List;

/**
 * What one database does for a call, and how much of it one unit of the database can do.
 *
 * <p>Work has a unit of its own in each engine: microseconds of processor time, write units, transactions. Where it comes from stands in
 * {@code basis}, which reports print.
 *
 * @param name as in store URIs; the index of DynamoDB has a name of its own
 * @param unit what one buys or starts more of: a machine, a node, a partition
 * @param work the work of one call of each kind
 * @param unitLimit the work that a unit can do each second
 * @param keyLimit the work that can be done each second for a single key
 * @param bytes the space of a record with a response of {@value #MEASURED_RESPONSE} bytes, all copies included
 * @param copies how many copies of what a longer response adds are kept
 * @param unitBytes the space that a unit has
 * @param basis where these figures come from
 */
record Engine(
        String name,
        String unit,
        Work work,
        double unitLimit,
        double keyLimit,
        double bytes,
        int copies,
        double unitBytes,
        Basis basis) {

    /** The length of the responses with which bytes per record were measured. */
    static final int MEASURED_RESPONSE = 256;

    /** How much of a unit is used when its number is chosen: busy seconds, vacuum, compaction and failed neighbours need the rest. */
    static final double BUSY_SHARE = 0.5;

    private static final double GIB = 1L << 30;
    private static final double TIB = 1L << 40;

    /** Where figures come from. */
    enum Basis {
        MEASURED("measured on two cores, scaled by cores"),
        DOCUMENTED("the service's documented limits"),
        ASSUMED("an assumption, measure yours");

        private final String text;

        Basis(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The work of a claim of a new key, of a settlement, and of a repeated request. */
    record Work(double claim, double settlement, double repeated) {}

    /** All engines, on machines with this many cores. */
    static List<Engine> all(int cores, int responseBytes) {
        double processorTime = cores * 1_000_000.0;
        int kilobytes = Math.max(1, (int) Math.ceil((800 + responseBytes) / 1024.0));
        return List.of(
                // 66 microseconds of the server for a new key and 7 for a replay: bench --suite http.new,http.replays.
                new Engine(
                        "postgresql",
                        "machine",
                        new Work(33, 33, 7),
                        processorTime,
                        processorTime / cores,
                        680,
                        1,
                        4 * TIB,
                        Basis.MEASURED),
                // 13,474 pairs and 88,814 replays a second, with callers and engine on the same two cores: bench
                // --suite redis.
                new Engine(
                        "redis",
                        "primary",
                        new Work(0.5, 0.5, 0.15),
                        13_474,
                        13_474,
                        2 * 858,
                        2,
                        32 * GIB,
                        Basis.MEASURED),
                // Write units of table and index; a partition has 1,000 a second and 10 GB. A refused condition is
                // charged like a write.
                new Engine(
                        "dynamodb",
                        "partition",
                        new Work(kilobytes, kilobytes, kilobytes),
                        1_000,
                        1_000,
                        1_124,
                        1,
                        10 * GIB,
                        Basis.DOCUMENTED),
                // One write unit for the entry that a claim adds, one for its removal.
                new Engine(
                        "dynamodb-index", "shard", new Work(1, 1, 0), 1_000, 1_000, 0, 1, 10 * GIB, Basis.DOCUMENTED),
                // Lightweight transactions: four round trips between replicas for each, one at a time for a key.
                new Engine("cassandra", "node", new Work(1, 1, 1), 1_000, 200, 3 * 1_000, 3, TIB, Basis.ASSUMED));
    }

    Engine withUnitLimit(double limit) {
        return new Engine(name, unit, work, limit, Math.min(keyLimit, limit), bytes, copies, unitBytes, basis);
    }

    Engine withBytes(double measured) {
        return new Engine(name, unit, work, unitLimit, keyLimit, measured, copies, unitBytes, basis);
    }

    /** The space of a record with such a response. */
    double bytesFor(int responseBytes) {
        return bytes == 0 ? 0 : bytes + (double) copies * Math.max(0, responseBytes - MEASURED_RESPONSE);
    }
}
