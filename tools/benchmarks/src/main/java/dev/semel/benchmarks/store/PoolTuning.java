package dev.semel.benchmarks.store;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.suite.Progress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Finds the size of connection pool that a hand-written table does best with, as its owner would. */
final class PoolTuning {

    /** One writer at a time is SQLite's way; a server has room for more connections than it has cores. */
    private static final List<Integer> SIZES = List.of(16, 32, 64);

    private static final List<Integer> SQLITE_SIZES = List.of(1, 4, 16);

    private static final int PASSES = 2;

    private final Database database;
    private final int callers;
    private final Duration slice;

    /** @param callers how many will be at work: the best size depends on it */
    PoolTuning(Database database, int callers, Duration slice) {
        this.database = database;
        this.callers = callers;
        this.slice = slice;
    }

    /** The size with the most pairs per second; sizes take turns. */
    int best(String name, Function<Integer, HandWritten> opening, Progress progress) throws Exception {
        List<Integer> sizes = database.dialect() == Dialect.SQLITE ? SQLITE_SIZES : SIZES;
        double[] calls = new double[sizes.size()];
        byte[] response = Payload.response();
        for (int pass = 0; pass < PASSES; pass++) {
            for (int index = 0; index < sizes.size(); index++) {
                progress.status(name + ": trying a pool of " + sizes.get(index));
                Keys keys = new Keys("tuning-" + sizes.get(index) + "-" + pass);
                try (HandWritten table = opening.apply(sizes.get(index))) {
                    table.replay("opens-a-connection");
                    calls[index] += new BlockingLoad(callers, () -> table.pair(keys.next(), response))
                            .run(slice)
                            .perSecond();
                }
            }
        }
        int best = 0;
        for (int index = 1; index < calls.length; index++) {
            best = calls[index] > calls[best] ? index : best;
        }
        progress.line(name + ": a pool of " + sizes.get(best) + " connections is best with " + callers + " callers");
        return sizes.get(best);
    }
}
