package dev.semel.benchmarks.gateway;

import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Settings;
import dev.semel.benchmarks.suite.Suite;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The gateway in front of a service: what a request costs, what connections cost, and whether anything grows. */
public final class GatewaySuite implements Suite {

    private static final int CONNECTIONS = 64;
    private static final int IDLE = 10_000;
    private static final int SLOW = 1_000;

    /** A proxy in Java gets faster for more than 15 s; shorter only where rounds are so short that they mean nothing. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private static final int WARM_UP_SLICES = 10;

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public String description() {
        return "processor time of a request through the gateway, next to a bare hop of Vert.x; memory with many connections;"
                + " growth over --rounds of --seconds";
    }

    @Override
    public List<String> parts() {
        return List.of("load", "load-http1", "load-http2", "holding", "soak");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        GatewayOptions options = options(context);
        GatewayResults results = new GatewayResults();
        boolean all = context.wants("load");
        ProcessorTime.Chosen chosen =
                new ProcessorTime.Chosen(all || context.wants("load-http1"), all || context.wants("load-http2"), all);
        if (chosen.http1() && !Wrk.isInstalled()) {
            note(context, results, Wrk.INSTALL);
        }
        if (chosen.http2() && !H2load.isInstalled()) {
            note(context, results, H2load.INSTALL);
        }
        if (chosen.http1() || chosen.http2()) {
            results.processorTime(ProcessorTime.measure(options, chosen, context.progress()::line));
        }
        if (context.wants("holding")) {
            results.holding(options, Holding.measure(options, context.progress()::line));
        }
        if (context.wants("soak")) {
            results.soak(Soak.measure(options, context.progress()::line));
        }
        return results.report();
    }

    private static void note(BenchContext context, GatewayResults results, String text) {
        context.progress().line(text);
        results.note(text);
    }

    private static GatewayOptions options(BenchContext context) throws Exception {
        Settings settings = context.settings();
        Duration slices = settings.slice().multipliedBy(WARM_UP_SLICES);
        Dialect dialect = context.databases().dialect();
        return new GatewayOptions(
                settings.callersOr(List.of(CONNECTIONS)).get(0),
                slices.compareTo(WARM_UP) < 0 ? slices : WARM_UP,
                settings.slice(),
                settings.rounds(),
                IDLE,
                SLOW,
                context.wants("load")
                        ? Map.of(
                                dialect.label(),
                                context.databases().create("gateway").uriText())
                        : Map.of(),
                true);
    }
}
