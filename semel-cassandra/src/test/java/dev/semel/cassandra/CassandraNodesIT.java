package dev.semel.cassandra;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.CassandraCluster;
import dev.semel.testsupport.servers.CassandraNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three real nodes with three replicas, which are killed and stopped while three processes' worth of stores claim the same keys.
 * Run by {@code -Dcassandra.excluded=}; {@code -Dcassandra.keys} and {@code -Dcassandra.faults} make it longer.
 */
@Tag("three-nodes")
@DisplayName("Cassandra: three nodes that fail")
class CassandraNodesIT {

    private static final int KEYS = Integer.getInteger("cassandra.keys", 60);
    private static final int FAULTS = Integer.getInteger("cassandra.faults", 3);
    private static final int STORES = 3;
    private static final String CREATE_KEYSPACE =
            "CREATE KEYSPACE semel WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}";

    /** Long enough for a settlement that is found out; the sweep afterwards waits for it. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static CassandraCluster cluster;

    private final List<CassandraStore> stores = new ArrayList<>();

    @BeforeAll
    static void start() {
        cluster = CassandraCluster.start(3);
        try (CqlSession session = Sessions.open(uri())) {
            CassandraServers.ddl(session, CREATE_KEYSPACE);
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static CassandraUri uri() {
        return CassandraUri.parse(cluster.uri("semel"))
                .withOptions(CassandraOptions.DEFAULT.withTimeout(Duration.ofSeconds(6)));
    }

    @BeforeEach
    void open() {
        for (int i = 0; i < STORES; i++) {
            stores.add(CassandraStore.open(uri()));
        }
    }

    @AfterEach
    void close() {
        stores.forEach(CassandraStore::close);
    }

    private static ClaimRequest request(String key) {
        ClaimRequest any = StoreVerbs.request(key);
        return new ClaimRequest(
                any.identity(), any.operation(), any.fingerprint(), LEASE, any.reexecutable(), any.holder());
    }

    private static String key(String run, int number) {
        return run + "-" + number;
    }

    private void awaitAnswers() {
        AtomicInteger probe = new AtomicInteger();
        String run = "probe-" + System.identityHashCode(probe) + "-"
                + Thread.currentThread().getId() + "-";
        for (CassandraStore store : stores) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> await(store.claim(request(run + probe.incrementAndGet()))) != null);
        }
    }

    @Test
    @DisplayName("I12: with two of three nodes stopped or dead every claim is a fault, and nothing executes")
    void majority() {
        for (boolean killed : new boolean[] {false, true}) {
            List<CassandraNode> most = cluster.nodes().subList(1, 3);
            most.forEach(killed ? CassandraNode::kill : CassandraNode::pause);
            String run = killed ? "killed" : "stopped";
            for (CassandraStore store : stores) {
                assertThatThrownBy(() -> await(store.claim(request(key(run, 0)))))
                        .hasCauseInstanceOf(StoreException.class);
            }
            most.forEach(killed ? CassandraNode::restart : CassandraNode::resume);
            awaitAnswers();
            // A claim that was decided after all has no executor: until its lease ends the key is busy.
            assertThat(await(stores.get(0).claim(request(key(run, 0)))))
                    .isInstanceOfAny(ClaimAnswer.Granted.class, ClaimAnswer.Busy.class);
            assertThat(stores.get(0).history(id(key(run, 0))))
                    .extracting(AuditEntry::change)
                    .containsExactly(Change.GRANTED);
        }
    }

    @Test
    @DisplayName("I1, I11: nodes are killed, stopped and restarted, and no key executes twice")
    void faults() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, AtomicInteger> ledger = new ConcurrentHashMap<>();
        AtomicInteger progress = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2 * STORES);
        try {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int client = 0; client < 2 * STORES; client++) {
                Store store = stores.get(client % STORES);
                List<Integer> keys = IntStream.range(0, KEYS).boxed().collect(Collectors.toList());
                Collections.rotate(keys, client % 2);
                clients.add(CompletableFuture.runAsync(
                        () -> keys.forEach(number -> {
                            ask(store, key("f", number), ledger);
                            progress.incrementAndGet();
                        }),
                        threads));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
            int done = 0;
            for (int fault = 0; fault < FAULTS; fault++) {
                breakNodes(random, fault);
                int least = ++done * 2 * STORES * KEYS / (FAULTS + 1);
                Awaitility.await().atMost(PATIENCE).until(() -> all.isDone() || progress.get() >= least);
            }
            all.get();
        } finally {
            threads.shutdownNow();
        }
        awaitAnswers();
        Store store = stores.get(0);
        Awaitility.await().atMost(PATIENCE).until(() -> {
            store.sweep(10_000);
            return IntStream.range(0, KEYS)
                    .allMatch(number -> await(store.find(id(key("f", number))))
                            .map(StoredRecord::state)
                            .filter(state -> state == State.COMPLETED || state == State.UNKNOWN)
                            .isPresent());
        });
        int executed = ledger.values().stream().mapToInt(AtomicInteger::get).sum();
        assertThat(ledger)
                .as("seed %d", seed)
                .allSatisfy((key, count) -> assertThat(count).hasValue(1));
        System.out.printf("%d keys, %d executions, %d faults, seed %d%n", KEYS, executed, FAULTS, seed);
    }

    /** One node, or every fifth time two of them; each kind in its turn. */
    private void breakNodes(Random random, int fault) {
        List<CassandraNode> nodes = new ArrayList<>(cluster.nodes());
        Collections.shuffle(nodes, random);
        List<CassandraNode> broken = nodes.subList(0, fault % 5 == 2 ? 2 : 1);
        if (fault % 2 == 0) {
            broken.forEach(CassandraNode::kill);
            broken.forEach(CassandraNode::restart);
        } else {
            broken.forEach(CassandraNode::pause);
            for (int meeting = 0; meeting < 3; meeting++) {
                meet(random.nextLong());
            }
            broken.forEach(CassandraNode::resume);
        }
    }

    /** One request that meets what is broken, whatever becomes of it. */
    private void meet(long number) {
        CompletableFuture<ClaimAnswer> answer = stores.get((int) Math.floorMod(number, (long) STORES))
                .claim(request("meeting-" + number))
                .toCompletableFuture();
        Awaitility.await().atMost(PATIENCE).until(answer::isDone);
    }

    private static void ask(Store store, String key, Map<String, AtomicInteger> ledger) {
        for (int attempt = 0; attempt < 5; attempt++) {
            try {
                ClaimAnswer answer = await(store.claim(request(key)));
                if (answer instanceof ClaimAnswer.Granted granted) {
                    ledger.computeIfAbsent(key, ignored -> new AtomicInteger()).incrementAndGet();
                    await(store.settle(granted.lease(), completed("done"), Duration.ofDays(1)));
                }
                if (!(answer instanceof ClaimAnswer.Busy)) {
                    return;
                }
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(StoreException.class);
            }
        }
    }
}
