package dev.semel.server.simulate;

import java.time.Duration;

/**
 * The records that a store keeps while days pass: their number follows the hours of the day, and pruning follows their retention.
 *
 * @param most the most records at a time, with those that wait to be pruned
 * @param mostExpired the most records that waited to be pruned at a time
 */
record Population(double most, double mostExpired) {

    private static final double DAY = Duration.ofDays(1).toSeconds();

    /** The time that is played: the first retention fills the store, the rest shows whether pruning keeps up. */
    private static final int RETENTIONS = 4;

    private static final int STEPS = 200_000;

    /** Plays several retentions, and at least two days. */
    static Population of(Workload workload) {
        Workload.Kept kept = workload.kept();
        double retention = kept.retention().toMillis() / 1000.0;
        double step = Math.max(RETENTIONS * retention, 2 * DAY) / STEPS;
        double[] born = new double[STEPS];
        int delay = (int) Math.max(1, Math.round(retention / step));
        double live = 0;
        double expired = 0;
        double most = 0;
        double mostExpired = 0;
        for (int i = 0; i < STEPS; i++) {
            born[i] = workload.rate() * shareOfTheBusiest(i * step, kept.quietest()) * step;
            live += born[i];
            if (i >= delay) {
                live -= born[i - delay];
                expired = Math.max(0, expired + born[i - delay] - kept.pruneRate() * step);
            }
            most = Math.max(most, live + expired);
            mostExpired = Math.max(mostExpired, expired);
        }
        return new Population(most, mostExpired);
    }

    /** Quietest at midnight, busiest at noon. */
    private static double shareOfTheBusiest(double second, double quietest) {
        return quietest + (1 - quietest) * (1 - Math.cos(2 * Math.PI * second / DAY)) / 2;
    }

    /** Whether more records expire than are pruned, day after day, so that their number grows without end. */
    static boolean outgrowsPruning(Workload workload) {
        return averageRate(workload) > workload.kept().pruneRate();
    }

    /** The rate of a whole day. */
    static double averageRate(Workload workload) {
        return workload.rate() * (1 + workload.kept().quietest()) / 2;
    }

    /** The records by formula: the rate times the retention, with the busiest rate where the retention is shorter than a day. */
    static double byFormula(Workload workload) {
        double retention = workload.kept().retention().toMillis() / 1000.0;
        return (retention < DAY ? workload.rate() : averageRate(workload)) * retention;
    }
}
