package dev.semel.benchmarks.store;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.load.Together;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.cache.CaffeineNearCache;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One database with all contenders on it. */
final class Arena implements AutoCloseable {

    /** Connections of the domain's own pool: enough to keep a database busy with two round trips per request. */
    private static final int DOMAIN_POOL = 16;

    private static final String SERIALIZABLE_TABLE = "bench_serializable";
    private static final String CONFLICT_TABLE = "bench_conflict";

    /** Threads that fill tables beforehand. */
    private static final int FILLERS = 64;

    private final Deque<Runnable> closings = new ArrayDeque<>();
    private @Nullable Peers peers;
    private @Nullable BareLoop bare;
    final Database database;
    final Store store;
    final SemelEngine semel;
    final SemelCalls calls;
    final CountedStore nearStore;
    final SemelCalls nearCalls;
    final HandWritten serializable;
    final HandWritten conflict;
    final HandStatements conflictStatements;
    final Orders orders;
    final int serializablePool;
    final int conflictPool;

    /**
     * Opens it, with these keys in every table: no table is empty for long, and in MySQL the new keys of an empty one all
     * block the same gap, so that those who look before they insert undo each other without an end.
     *
     * @param callers the most that will be at work at once
     */
    Arena(BenchContext context, int callers, ReplayedKeys keys) throws Exception {
        database = context.databases().create("store");
        store = Stores.open(database.uri());
        semel = opened(SemelEngine.on(store).build(), SemelEngine::close);
        calls = new SemelCalls(semel);
        nearStore = new CountedStore(store);
        SemelEngine near = opened(
                SemelEngine.on(nearStore)
                        .nearCache(CaffeineNearCache.builder().build())
                        .build(),
                SemelEngine::close);
        nearCalls = new SemelCalls(near);
        HandSql forSerializable = HandSql.of(database.dialect(), SERIALIZABLE_TABLE);
        HandSql forConflict = HandSql.of(database.dialect(), CONFLICT_TABLE);
        conflictStatements = new HandStatements(forConflict);
        database.execute(
                forSerializable.create(),
                forSerializable.index(),
                forConflict.create(),
                forConflict.index(),
                Orders.CREATE,
                SpringMetadataStore.CREATE);

        context.progress().status("completing " + Figures.count(keys.all().size()) + " keys");
        Together.run(
                FILLERS, keys.all().size(), number -> calls.complete(keys.all().get(number)));
        FilledTables tables = new FilledTables(database, keys.all());
        tables.fill(forSerializable);
        tables.fill(forConflict);
        tables.fillSpring();

        Duration tuning = context.settings().slice().dividedBy(2);
        PoolTuning pools = new PoolTuning(database, callers, tuning);
        serializablePool = pools.best(
                Names.SERIALIZABLE,
                size -> new SerializableTable(forSerializable, database.serializablePool(size)),
                context.progress());
        conflictPool = pools.best(
                Names.CONFLICT, size -> new ConflictTable(forConflict, database.pool(size)), context.progress());
        serializable = opened(
                new SerializableTable(forSerializable, database.serializablePool(serializablePool)),
                HandWritten::close);
        conflict = opened(new ConflictTable(forConflict, database.pool(conflictPool)), HandWritten::close);
        orders = opened(
                new Orders(database.pool(database.dialect() == Dialect.SQLITE ? 1 : DOMAIN_POOL)), Orders::close);
    }

    /** Closes something together with the arena, before what was opened earlier. */
    private <T> T opened(T resource, Consumer<T> closing) {
        closings.push(() -> closing.accept(resource));
        return resource;
    }

    /** Other libraries, opened when they are first needed. */
    Peers peers() {
        Peers found = peers;
        if (found == null) {
            found = opened(
                    new Peers(
                            new CamelRepository(database.pool(conflictPool)),
                            new SpringMetadataStore(database.pool(conflictPool))),
                    Peers::close);
            peers = found;
        }
        return found;
    }

    /** The limit, opened when it is first needed; only with PostgreSQL. */
    BareLoop bare() throws IOException {
        BareLoop found = bare;
        if (found == null) {
            found = opened(new BareLoop(database), BareLoop::close);
            bare = found;
        }
        return found;
    }

    /** Brings the keys into memory, for replays from there. */
    void fillNearCache(ReplayedKeys keys) throws Exception {
        List<String> all = keys.all();
        Together.run(FILLERS, all.size(), number -> nearCalls.replay(all.get(number)));
    }

    @Override
    public void close() {
        closings.forEach(Runnable::run);
    }
}
