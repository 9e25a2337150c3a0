package dev.semel.reconcile;

/**
 * What one run of a reconciler did.
 *
 * @param swept attempts that had vanished and were noticed now
 * @param resolved unknown outcomes that were settled
 * @param rescheduled unknown outcomes that are asked about again later
 * @param deadLettered unknown outcomes that were left to a person
 * @param failed calls of a resolver that threw; each of them was also rescheduled or dead-lettered, unless another
 *     process was faster
 * @param storeFaults how often the store failed; what was not done then is done in a later run
 */
public record RunReport(int swept, int resolved, int rescheduled, int deadLettered, int failed, int storeFaults) {

    static final RunReport NOTHING = new RunReport(0, 0, 0, 0, 0, 0);
    static final RunReport RESOLVED = new RunReport(0, 1, 0, 0, 0, 0);
    static final RunReport RESCHEDULED = new RunReport(0, 0, 1, 0, 0, 0);
    static final RunReport DEAD_LETTERED = new RunReport(0, 0, 0, 1, 0, 0);
    static final RunReport FAILED = new RunReport(0, 0, 0, 0, 1, 0);
    static final RunReport STORE_FAULT = new RunReport(0, 0, 0, 0, 0, 1);

    static RunReport swept(int records) {
        return new RunReport(records, 0, 0, 0, 0, 0);
    }

    RunReport plus(RunReport other) {
        return new RunReport(
                swept + other.swept,
                resolved + other.resolved,
                rescheduled + other.rescheduled,
                deadLettered + other.deadLettered,
                failed + other.failed,
                storeFaults + other.storeFaults);
    }
}
