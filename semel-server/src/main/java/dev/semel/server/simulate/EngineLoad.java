package dev.semel.server.simulate;

/** The calls of the busiest time, spread over the units of one engine by the hash of their key. */
final class EngineLoad implements Traffic.Calls {

    /** More would only say "too many", and take memory to do so. */
    private static final int MAX_UNITS = 200_000;

    private final Engine engine;
    private final int units;
    private final double[][] work;
    private double total;

    private EngineLoad(Engine engine, int units, int seconds) {
        this.engine = engine;
        this.units = units;
        this.work = new double[seconds][units];
    }

    /** Whether the space of the records asks for more units than their work does. */
    static boolean sizedBySpace(Engine engine, Workload workload, double records) {
        return unitsForSpace(engine, workload, records) > unitsForWork(engine, workload);
    }

    /** Chooses as many units as the formula says: by their work, or by the space of the records. */
    static EngineLoad sized(Engine engine, Workload workload, double records, int seconds) {
        return new EngineLoad(
                engine, Math.max(unitsForWork(engine, workload), unitsForSpace(engine, workload, records)), seconds);
    }

    /** The work of each second by formula: operations, and those of them that are repeated. */
    static double averageWork(Engine engine, Workload workload) {
        Engine.Work each = engine.work();
        return workload.rate()
                        * (each.claim() + each.settlement() + workload.retries().share() * each.repeated())
                + workload.retries().hotRate() * each.repeated();
    }

    private static int unitsForWork(Engine engine, Workload workload) {
        return atLeastOne(averageWork(engine, workload) / (engine.unitLimit() * Engine.BUSY_SHARE));
    }

    private static int unitsForSpace(Engine engine, Workload workload, double records) {
        return atLeastOne(
                records * engine.bytesFor(workload.kept().responseBytes()) / (engine.unitBytes() * Engine.BUSY_SHARE));
    }

    private static int atLeastOne(double units) {
        return (int) Math.max(1, Math.min(MAX_UNITS, Math.ceil(units)));
    }

    @Override
    public void claimed(int second, long key) {
        add(second, key, engine.work().claim());
    }

    @Override
    public void settled(int second, long key) {
        add(second, key, engine.work().settlement());
    }

    @Override
    public void repeated(int second, long key, boolean busy) {
        add(second, key, engine.work().repeated());
    }

    private void add(int second, long key, double amount) {
        work[second][(int) Math.floorMod(key, (long) units)] += amount;
        total += amount;
    }

    Engine engine() {
        return engine;
    }

    int units() {
        return units;
    }

    /** The work of each second, as played. */
    double playedWork() {
        return total / work.length;
    }

    /** The work of the unit that had most of it, in its busiest second, as a share of what it can do. */
    double hottest() {
        double most = 0;
        for (double[] second : work) {
            for (double unit : second) {
                most = Math.max(most, unit);
            }
        }
        return most / engine.unitLimit();
    }

    /** The work of the hot key, as a share of what can be done for a single key. */
    double hotKey(Workload workload) {
        return workload.retries().hotRate() * engine.work().repeated() / engine.keyLimit();
    }
}
