package dev.semel.server.simulate;

import java.time.Duration;

/**
 * What clients do at the busiest time of the day, and how long it is remembered.
 *
 * @param rate operations that begin each second: requests with a new key
 * @param running how long an operation runs, on average
 * @param retries how clients repeat requests
 * @param kept what is kept of each operation
 */
public record Workload(double rate, Duration running, Retries retries, Kept kept) {

    /** More would not fit into a second that is played whole. */
    private static final double MAX_RATE = 1_000_000;

    public Workload {
        require(rate >= 1 && rate <= MAX_RATE, "the rate is " + rate + ", it must be between 1 and 1000000");
        require(positive(running), "operations run for " + running + ", it must be a positive time");
    }

    /**
     * Repeated requests.
     *
     * @param share the share of operations whose client repeats its request, from 0 to 1
     * @param after how long such a client waits before it repeats the request, on average
     * @param hotRate how often a second one client that does not stop repeats its request with a single key
     */
    public record Retries(double share, Duration after, double hotRate) {

        public Retries {
            require(share >= 0 && share <= 1, "the share of retries is " + share + ", it must be between 0 and 1");
            require(positive(after), "clients retry after " + after + ", it must be a positive time");
            require(
                    hotRate >= 0 && hotRate <= 1_000_000,
                    "the rate of the hot key is " + hotRate + ", it must be between 0 and 1000000");
        }
    }

    /**
     * What is kept of each operation.
     *
     * @param retention how long records are kept
     * @param responseBytes the size of a response
     * @param quietest the rate at the quietest time of the day, as a share of the busiest, from 0 to 1
     * @param pruneRate how many records a second pruning can delete
     */
    public record Kept(Duration retention, int responseBytes, double quietest, double pruneRate) {

        public Kept {
            require(
                    positive(retention) && retention.compareTo(Duration.ofDays(3650)) <= 0,
                    "the retention is " + retention + ", it must be positive and at most 3650 days");
            require(
                    responseBytes >= 0 && responseBytes <= 64 << 20,
                    "a response has " + responseBytes + " bytes, it must be between 0 and 67108864");
            require(
                    quietest >= 0 && quietest <= 1,
                    "the quietest time has a share of " + quietest + ", it must be between 0 and 1");
            require(pruneRate >= 1, "pruning deletes " + pruneRate + " records a second, it must be at least 1");
        }
    }

    private static boolean positive(Duration length) {
        return !length.isNegative() && !length.isZero();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
