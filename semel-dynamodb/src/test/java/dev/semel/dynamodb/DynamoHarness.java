package dev.semel.dynamodb;

import dev.semel.engine.Store;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.StoreHarness;
import dev.semel.testkit.contract.StoreVerbs;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A store in a table of its own. The service's clock is in the {@code Date} headers, which a test moves below the store, together
 * with the elapsed time of the processes; the application's wall clock stays where it is.
 */
final class DynamoHarness implements StoreHarness {

    static final int SHARDS = 4;

    /** One client for all harnesses: it takes two seconds to close. Tests of one process take turns. */
    private static final ServiceTime SERVICE = new ServiceTime();

    private static final DynamoDbAsyncClient CLIENT = client(SERVICE);

    private final ManualTime time = new ManualTime();
    private final Duration tombstones;
    private final String table = DynamoServer.newTable();
    private final DynamoStore store;
    private final DynamoStore another;

    private volatile Duration setBack = Duration.ZERO;

    DynamoHarness() {
        this(Duration.ZERO);
    }

    /** A store that keeps tombstones for so long. */
    DynamoHarness(Duration tombstones) {
        this.tombstones = tombstones;
        SERVICE.follow(() -> time.instant().minus(setBack));
        store = open();
        another = open();
    }

    private DynamoStore open() {
        return DynamoStore.on(
                CLIENT, table, DynamoOptions.DEFAULT.withShards(SHARDS).withTombstones(tombstones), time::nanos);
    }

    /** A client of the server of tests, with this below it. */
    static DynamoDbAsyncClient client(ExecutionInterceptor below) {
        return client(below, DynamoServer.start().endpoint(), DynamoOptions.DEFAULT);
    }

    /** A client of an endpoint, with this below it. */
    static DynamoDbAsyncClient client(ExecutionInterceptor below, URI endpoint, DynamoOptions options) {
        return Clients.builder(new DynamoUri("unused", null, endpoint, options))
                .overrideConfiguration(configuration ->
                        Clients.configuration(configuration, options).addExecutionInterceptor(below))
                .build();
    }

    ManualTime time() {
        return time;
    }

    String table() {
        return table;
    }

    DynamoDbAsyncClient client() {
        return CLIENT;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store another() {
        return another;
    }

    @Override
    public void elapse(Duration duration) {
        if (!duration.isNegative()) {
            time.advance(duration);
            return;
        }
        setBack = setBack.minus(duration);
        for (int answer = 0; answer < 3; answer++) {
            StoreVerbs.await(store.find(StoreVerbs.id("any")));
            StoreVerbs.await(another.find(StoreVerbs.id("any")));
        }
    }

    @Override
    public long roundTrips() {
        return SERVICE.sent();
    }

    @Override
    public void close() {
        store.close();
        another.close();
        CLIENT.deleteTable(request -> request.tableName(table)).join();
    }
}
