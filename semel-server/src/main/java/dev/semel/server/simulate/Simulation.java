package dev.semel.server.simulate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a workload asks of each engine, played and by formula.
 *
 * @param workload what was played
 * @param seconds how many seconds of the busiest time were played
 * @param counts the calls of these seconds
 * @param population the records of some days
 * @param loads the load of each engine
 */
public record Simulation(
        Workload workload, int seconds, Counts counts, RecordCounts population, List<EngineResult> loads) {

    /** The calls that were played: first requests, replays, and requests whose key was busy. */
    public record Counts(long claims, long replays, long busy) {}

    /** Records by formula, as played, and those that waited for pruning; without end where pruning cannot keep up. */
    public record RecordCounts(double formula, double played, double waitForPruning, boolean withoutEnd) {}

    /**
     * The load of one engine.
     *
     * @param engine its name
     * @param unit what one has more of for more load
     * @param units how many of them
     * @param sizedBy what their number comes from: work or space
     * @param bytes the space of all records
     * @param formula the work of each second by formula
     * @param played the same, as played
     * @param hottest the busiest second of the busiest unit, as a share of what a unit can do
     * @param hotKey the work of the hot key, as a share of what can be done for one key
     * @param basis where the figures of the engine come from
     */
    public record EngineResult(
            String engine,
            String unit,
            int units,
            String sizedBy,
            double bytes,
            double formula,
            double played,
            double hottest,
            double hotKey,
            String basis) {

        /** What is at risk, in words. */
        public String risk() {
            if (hotKey >= 1) {
                return "the hot key is throttled";
            }
            if (hottest >= 1) {
                return "a " + unit + " is overloaded";
            }
            return hottest >= 0.8 || hotKey >= 0.8 ? "little room" : "low";
        }
    }

    /**
     * What is known of the machines and engines.
     *
     * @param cores the cores of a machine
     * @param unitLimits by engine, what a unit can do each second
     * @param bytes by engine, the bytes of a record with a response of 256 bytes, all copies included
     */
    public record Machines(int cores, Map<String, Double> unitLimits, Map<String, Double> bytes) {

        public Machines {
            if (cores < 1 || cores > 1024) {
                throw new IllegalArgumentException("a machine has " + cores + " cores, it must be between 1 and 1024");
            }
            requireKnown(unitLimits);
            requireKnown(bytes);
        }

        private static void requireKnown(Map<String, Double> figures) {
            Set<String> names = new TreeSet<>();
            Engine.all(1, 0).forEach(engine -> names.add(engine.name()));
            figures.forEach((name, figure) -> {
                if (!names.contains(name)) {
                    throw new IllegalArgumentException(
                            "no engine is called '" + name + "', the engines are " + String.join(", ", names));
                }
                if (!(figure > 0)) {
                    throw new IllegalArgumentException(
                            "the figure of " + name + " is " + figure + ", it must be positive");
                }
            });
        }

        private List<Engine> engines(int responseBytes) {
            return Engine.all(cores, responseBytes).stream()
                    .map(engine -> unitLimits.containsKey(engine.name())
                            ? engine.withUnitLimit(unitLimits.get(engine.name()))
                            : engine)
                    .map(engine ->
                            bytes.containsKey(engine.name()) ? engine.withBytes(bytes.get(engine.name())) : engine)
                    .toList();
        }
    }

    /**
     * Plays a workload.
     *
     * @param seed the same seed plays the same calls
     */
    public static Simulation run(Workload workload, Machines machines, long seed) {
        return run(workload, machines.engines(workload.kept().responseBytes()), seed);
    }

    static Simulation run(Workload workload, List<Engine> engines, long seed) {
        Population population = Population.of(workload);
        Traffic traffic = new Traffic(workload, seed);
        List<EngineLoad> loads = engines.stream()
                .map(engine -> EngineLoad.sized(engine, workload, population.most(), traffic.seconds()))
                .toList();
        Counter counter = new Counter();
        traffic.play(new Fan(counter, loads));
        return new Simulation(
                workload,
                traffic.seconds(),
                new Counts(counter.claims, counter.replays, counter.busy),
                new RecordCounts(
                        Population.byFormula(workload),
                        population.most(),
                        population.mostExpired(),
                        Population.outgrowsPruning(workload)),
                loads.stream().map(load -> result(load, workload, population)).toList());
    }

    private static EngineResult result(EngineLoad load, Workload workload, Population population) {
        Engine engine = load.engine();
        return new EngineResult(
                engine.name(),
                engine.unit(),
                load.units(),
                EngineLoad.sizedBySpace(engine, workload, population.most()) ? "space" : "work",
                population.most() * engine.bytesFor(workload.kept().responseBytes()),
                EngineLoad.averageWork(engine, workload),
                load.playedWork(),
                load.hottest(),
                load.hotKey(workload),
                engine.basis().toString());
    }

    /** Tells each call to all. */
    private record Fan(Counter counter, List<EngineLoad> loads) implements Traffic.Calls {

        @Override
        public void claimed(int second, long key) {
            counter.claims++;
            loads.forEach(load -> load.claimed(second, key));
        }

        @Override
        public void settled(int second, long key) {
            loads.forEach(load -> load.settled(second, key));
        }

        @Override
        public void repeated(int second, long key, boolean busy) {
            if (busy) {
                counter.busy++;
            } else {
                counter.replays++;
            }
            loads.forEach(load -> load.repeated(second, key, busy));
        }
    }

    private static final class Counter {

        private long claims;
        private long replays;
        private long busy;
    }
}
