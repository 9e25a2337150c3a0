package dev.semel.benchmarks.http;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The same endpoint on the same server and store, protected in several ways.
 *
 * <ol>
 *   <li>Each side is a server in a virtual machine of its own; all of them live throughout.
 *   <li>Each is warmed up until that no longer makes its requests cheaper, and at least for so many requests as it takes
 *       to compile what they run: a slow store needs longer for them.
 *   <li>The hand-written filter gets the pool that it does best with.
 *   <li>In each round every side is measured once, in turn: what the machine does meanwhile hits all sides alike.
 * </ol>
 */
public final class HttpSuite implements Suite {

    private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256);

    private static final String NEW = "new";
    private static final String REPLAYS = "replays";
    private static final String DUPLICATES = "duplicates";
    private static final String LATENCY = "latency";

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String description() {
        return "requests to one endpoint without protection, behind a hand-written filter, the same on a public library, behind Semel's"
                + " filter and gateway; processor time of server and database, latency at a fixed rate; any store";
    }

    @Override
    public List<String> parts() {
        return List.of(NEW, REPLAYS, DUPLICATES, LATENCY);
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public boolean runsOn(Kind other) {
        return true;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        try (Sides sides = Sides.start(context)) {
            return new Run(context, sides).run();
        }
    }

    /** One run on these sides. */
    private static final class Run {

        private final BenchContext context;
        private final Sides sides;
        private final Rounds rounds;
        private final HttpResults results = new HttpResults();

        Run(BenchContext context, Sides sides) {
            this.context = context;
            this.sides = sides;
            this.rounds = new Rounds(context.settings(), context.progress());
        }

        Report run() throws Exception {
            List<Integer> connections = context.settings().callersOr(CONNECTIONS);
            sides.warmUp(context, connections.get(connections.size() - 1));
            for (int number : connections) {
                sides.tune(context, number);
                contestIf(NEW, Traffic.NEW, number);
                contestIf(REPLAYS, Traffic.REPLAYS, number);
                contestIf(DUPLICATES, Traffic.DUPLICATES, number);
                if (context.wants(LATENCY)) {
                    contest(Traffic.NEW, number, rate(number));
                }
            }
            return results.report(sides.poolSizes());
        }

        /** Half of what the slowest side can do, so that no side is measured by its queue. */
        private double rate(int connections) throws Exception {
            double slowest = Double.MAX_VALUE;
            for (Side side : sides.all()) {
                context.progress().status("looking for a rate that all can keep");
                HttpLoad load = new HttpLoad(side, Traffic.NEW, connections, 0);
                slowest = Math.min(slowest, load.run(context.settings().slice()).perSecond());
            }
            return slowest / 2;
        }

        private void contestIf(String part, Traffic traffic, int connections) throws Exception {
            if (context.wants(part)) {
                contest(traffic, connections, 0);
            }
        }

        private void contest(Traffic traffic, int connections, double perSecond) throws Exception {
            List<HttpLoad> loads = sides.all().stream()
                    .map(side -> new HttpLoad(side, traffic, connections, perSecond))
                    .toList();
            List<Contender> contenders = loads.stream()
                    .map(load -> new Contender(load.side().name(), load))
                    .toList();
            String title = traffic.label() + ", " + connections + (connections == 1 ? " connection" : " connections")
                    + (perSecond > 0 ? ", at " + Figures.count(perSecond) + "/s" : "");
            Contest contest = rounds.run(title, Sides.HAND_WRITTEN, contenders);
            Map<String, List<HttpLoad.Cost>> costs = loads.stream()
                    .collect(Collectors.toMap(
                            load -> load.side().name(),
                            load -> load.lastCosts(context.settings().rounds())));
            results.add(new HttpResults.Measured(contest, costs, traffic, connections, perSecond > 0));
        }
    }
}
