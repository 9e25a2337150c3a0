package dev.semel.benchmarks.http;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Databases;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.database.RedisPlace;
import dev.semel.benchmarks.database.ServerClock;
import dev.semel.benchmarks.load.Slice;
import dev.semel.benchmarks.suite.BenchContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every side of the contest, each with its processes; all of them end with it. */
final class Sides implements AutoCloseable {

    static final String NONE = "no protection";
    static final String HAND_WRITTEN = "hand-written filter";
    static final String LIBRARY = "spring-integration";
    static final String MEMORY = "semel filter, memory";
    static final String SEMEL = "semel filter";
    static final String NEAR_CACHE = "semel filter, near-cache";
    static final String GATEWAY = "semel gateway";

    /** One writer at a time is SQLite's way; a server has room for more connections than it has cores. */
    private static final List<Integer> POOLS = List.of(8, 16, 32, 64);

    private static final List<Integer> SQLITE_POOLS = List.of(1, 2, 4, 16);

    /** Slices of the usual length: a virtual machine with a server in it speeds up for so long. */
    private static final int WARM_UP_SLICES = 10;

    /** What is compiled last is compiled after about so many requests; beneath, compiling is a part of what they cost. */
    private static final long WARM_UP_REQUESTS_PER_SECOND = 25_000;

    /** Slices at most, also where requests still get cheaper. */
    private static final int MOST_WARM_UP_SLICES = 60;

    private static final double CHEAPER = 0.97;

    private final List<Side> sides = new ArrayList<>();
    private final List<ServerProcess> processes = new ArrayList<>();
    private final Map<Integer, Integer> poolSizes = new LinkedHashMap<>();
    private final List<Integer> pools;
    private @Nullable ServerProcess handWritten;
    private @Nullable ServerProcess library;

    private Sides(List<Integer> pools) {
        this.pools = pools;
    }

    /** The stores of one run: their URIs, and the clock of their server. */
    private record Stores(
            String handWritten,
            @Nullable String library,
            String semel,
            String nearCache,
            String gateway,
            ServerClock clock,
            List<Integer> pools) {

        static Stores of(BenchContext context) throws Exception {
            if (context.place() instanceof RedisPlace redis) {
                String uri = redis.uriText();
                return new Stores(uri, uri, uri, uri, uri, redis.clock(), List.of());
            }
            Databases databases = context.databases();
            Database own = databases.create("httpsemel");
            boolean sqlite = databases.dialect() == Dialect.SQLITE;
            return new Stores(
                    databases.create("httphand").uriText(),
                    // The library's statements are not SQLite's.
                    sqlite ? null : databases.create("httplibrary").uriText(),
                    own.uriText(),
                    databases.create("httpnear").uriText(),
                    databases.create("httpgateway").uriText(),
                    ServerClock.of(own),
                    sqlite ? SQLITE_POOLS : POOLS);
        }
    }

    static Sides start(BenchContext context) throws Exception {
        Stores stores = Stores.of(context);
        Sides started = new Sides(stores.pools());
        try {
            ServerProcess open = started.process(Protection.none());
            started.add(NONE, ServerClock.NONE, open);
            started.add(MEMORY, ServerClock.NONE, started.process(Protection.semel("memory:")));
            ServerProcess handWritten = started.process(Protection.handWritten(stores.handWritten()));
            started.handWritten = handWritten;
            started.add(HAND_WRITTEN, stores.clock(), handWritten);
            if (stores.library() != null) {
                ServerProcess library = started.process(Protection.library(stores.library()));
                started.library = library;
                started.add(LIBRARY, stores.clock(), library);
            }
            started.add(SEMEL, stores.clock(), started.process(Protection.semel(stores.semel())));
            started.add(NEAR_CACHE, stores.clock(), started.process(Protection.nearCache(stores.nearCache())));
            started.add(
                    GATEWAY, stores.clock(), started.process(Protection.gateway(stores.gateway(), open.port())), open);
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private ServerProcess process(Protection protection) {
        ServerProcess process = ServerProcess.start(protection);
        processes.add(process);
        return process;
    }

    private void add(String name, ServerClock clock, ServerProcess... used) {
        sides.add(new Side(name, List.of(used), clock));
    }

    List<Side> all() {
        return List.copyOf(sides);
    }

    /** The pool of the hand-written filter, by the number of connections. */
    Map<Integer, Integer> poolSizes() {
        return poolSizes;
    }

    void warmUp(BenchContext context, int connections) throws Exception {
        Duration slice = context.settings().slice();
        long requests = Math.round(WARM_UP_REQUESTS_PER_SECOND * slice.toNanos() / 1e9);
        for (Side side : sides) {
            context.progress().line("http: warming up, " + side.name());
            HttpLoad load = new HttpLoad(side, Traffic.DUPLICATES, connections, 0);
            long done = 0;
            double before = Double.MAX_VALUE;
            for (int slices = 1; slices <= MOST_WARM_UP_SLICES; slices++) {
                Slice last = load.run(slice);
                done += last.calls();
                double micros = load.lastCosts(1).get(0).server();
                if (slices >= WARM_UP_SLICES && done >= requests && micros > CHEAPER * before) {
                    break;
                }
                before = micros;
            }
        }
    }

    /** Gives the hand-written filter the pool with which it answers most requests with new keys, and the library the same. */
    void tune(BenchContext context, int connections) throws Exception {
        ServerProcess process = handWritten;
        if (process == null || pools.isEmpty()) {
            return;
        }
        Side side = sides.stream()
                .filter(each -> each.name().equals(HAND_WRITTEN))
                .findFirst()
                .orElseThrow();
        int best = 0;
        double most = 0;
        for (int size : pools) {
            context.progress().status("trying a pool of " + size + " for the hand-written filter");
            process.resizePool(size);
            HttpLoad load = new HttpLoad(side, Traffic.NEW, connections, 0);
            load.run(context.settings().slice().dividedBy(2));
            double perSecond = load.run(context.settings().slice()).perSecond();
            if (perSecond > most) {
                most = perSecond;
                best = size;
            }
        }
        process.resizePool(best);
        if (library != null) {
            library.resizePool(best);
        }
        poolSizes.put(connections, best);
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
    }
}
