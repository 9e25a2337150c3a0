package dev.semel.dynamodb;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.dynamodb.FaultProxy.Fault;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * I1 and I12 while calls fail: what was written is found out, and what cannot be found out is a fault. A lost answer that counts
 * as not applied is refused settlements, doubled steps and second grants here.
 */
@DisplayName("DynamoDB: faults of the service and of the network")
class DynamoFaultsTest {

    private static final Duration RETENTION = StoreVerbs.RETENTION;

    /** Short, since tests of delays wait for it three times; long for a loaded machine. */
    private static final Duration TIMEOUT = Duration.ofMillis(1500);

    private final ManualTime time = new ManualTime();
    private final ServiceTime service = new ServiceTime();
    private final FaultProxy proxy = new FaultProxy(DynamoServer.start().endpoint());
    private final DynamoDbAsyncClient client;
    private final DynamoStore store;

    DynamoFaultsTest() {
        service.follow(time::instant);
        DynamoOptions options = DynamoOptions.DEFAULT.withShards(2).withTimeout(TIMEOUT);
        client = DynamoHarness.client(service, proxy.endpoint(), options);
        store = DynamoStore.on(client, DynamoServer.newTable(), options, time::nanos);
    }

    @AfterEach
    void close() {
        proxy.close();
        client.close();
    }

    private Lease granted(ClaimRequest request) {
        return ((ClaimAnswer.Granted) await(store.claim(request))).lease();
    }

    private List<Change> changes(String key) {
        return store.history(id(key)).stream().map(AuditEntry::change).toList();
    }

    private State state(String key) {
        return await(store.find(id(key))).orElseThrow().state();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"THROTTLED", "ERROR_BEFORE", "ERROR_AFTER", "LOST_REQUEST", "LOST_ANSWER"})
    @DisplayName("one fault: every verb is done once, and answers as if nothing had happened")
    void one_fault(Fault fault) {
        proxy.next(fault);
        Lease lease = granted(request("k"));
        proxy.next(fault);
        assertThat(await(store.renew(lease, StoreVerbs.LEASE))).isEqualTo(RenewAnswer.RENEWED);
        proxy.next(fault);
        assertThat(await(store.step(lease, "reserve", StoreVerbs.response("7"))))
                .isEqualTo(StepAnswer.RECORDED);
        proxy.next(fault);
        assertThat(await(store.settle(lease, StoreVerbs.unknown(), RETENTION)))
                .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        proxy.next(fault);
        assertThat(store.reschedule(lease, new Reschedule.DeadLetter(0), StoreVerbs.EVIDENCE))
                .isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        proxy.next(fault);
        assertThat(store.reconcile(lease, completed("found"), StoreVerbs.EVIDENCE, RETENTION))
                .isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        assertThat(changes("k"))
                .containsExactly(Change.GRANTED, Change.STEP, Change.SETTLED, Change.DEAD_LETTERED, Change.RECONCILED);
        proxy.next(fault);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(await(store.find(id("k"))).orElseThrow().steps().isEmpty()).isTrue();
    }

    @Test
    @DisplayName("a sweeper whose answers are lost notices each lease once")
    void lost_sweep() {
        for (int i = 0; i < 5; i++) {
            granted(request("k" + i));
        }
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        proxy.otherwise(call -> call.equals("PutItem") && proxy.faults() < 5 ? Fault.LOST_ANSWER : Fault.NONE);
        assertThat(store.sweep(10)).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(changes("k" + i)).containsExactly(Change.GRANTED, Change.GIVEN_UP);
        }
    }

    @Test
    @DisplayName("a claim without a clear answer is a fault, and the same claim gets the lease that was written")
    void lost_claim() {
        ClaimRequest claim = request("k");
        proxy.otherwise(call -> Fault.LOST_ANSWER);
        assertThatThrownBy(() -> await(store.claim(claim)))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("may or may not have happened");
        proxy.otherwise(call -> Fault.NONE);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        Lease lease = granted(claim);
        assertThat(changes("k")).containsExactly(Change.GRANTED);
        assertThat(await(store.settle(lease, completed("done"), RETENTION))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("throttled for good, a claim is a fault that says so, and nothing is written")
    void throttled() {
        proxy.otherwise(call -> Fault.THROTTLED);
        assertThatThrownBy(() -> await(store.claim(request("k"))))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("throttled");
        proxy.otherwise(call -> Fault.NONE);
        assertThat(await(store.find(id("k")))).isEmpty();
    }

    @Test
    @DisplayName(
            "I1: a claim that reaches the service after its lease has passed grants nothing, and blocks the key as unknown")
    void delayed_beyond_the_lease() {
        proxy.next(Fault.DELAYED, Fault.DELAYED, Fault.DELAYED);
        assertThatThrownBy(() -> await(store.claim(request("k")))).hasCauseInstanceOf(StoreException.class);
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        proxy.release();
        Awaitility.await().until(() -> proxy.arrived() == 3);
        assertThat(changes("k")).containsExactly(Change.GRANTED);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Unknown.class);
    }

    @Test
    @DisplayName("I2: a settlement that reaches the service after a takeover writes nothing")
    void delayed_settlement() {
        Lease stale = granted(StoreVerbs.reexecutable("k"));
        proxy.next(Fault.DELAYED, Fault.DELAYED, Fault.DELAYED);
        assertThatThrownBy(() -> await(store.settle(stale, completed("stale"), RETENTION)))
                .hasCauseInstanceOf(StoreException.class);
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        Lease current = granted(StoreVerbs.reexecutable("k"));
        proxy.release();
        Awaitility.await().until(() -> proxy.arrived() == 3);
        assertThat(state("k")).isEqualTo(State.IN_PROGRESS);
        assertThat(await(store.settle(current, completed("current"), RETENTION)))
                .isInstanceOf(SettleAnswer.Settled.class);
        assertThat(changes("k")).containsExactly(Change.GRANTED, Change.TAKEN_OVER, Change.SETTLED);
    }

    @Test
    @DisplayName(
            "I1, I11: under hundreds of faults no key executes twice, and afterwards every record is completed or unknown")
    void many_faults() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Fault[] kinds = {Fault.THROTTLED, Fault.ERROR_BEFORE, Fault.ERROR_AFTER, Fault.LOST_REQUEST, Fault.LOST_ANSWER};
        proxy.otherwise(call -> {
            synchronized (random) {
                return random.nextInt(3) == 0 ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
            }
        });
        int keys = 150;
        Map<String, AtomicInteger> ledger = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit((Callable<Void>) () -> {
                    for (int k = 0; k < keys; k++) {
                        requestUntilAnswered("k" + k, ledger);
                    }
                    return null;
                }));
            }
            for (Future<?> future : clients) {
                future.get();
            }
        } finally {
            threads.shutdownNow();
        }
        proxy.otherwise(call -> Fault.NONE);
        time.advance(StoreVerbs.LEASE.plusSeconds(1));
        store.sweep(1000);
        assertThat(proxy.faults()).as("seed %d", seed).isGreaterThan(200);
        for (int k = 0; k < keys; k++) {
            String key = "k" + k;
            int executions = ledger.containsKey(key) ? ledger.get(key).get() : 0;
            assertThat(executions).as("executions of %s, seed %d", key, seed).isLessThanOrEqualTo(1);
            assertThat(await(store.find(id(key))).map(record -> record.state()))
                    .as("%s, seed %d", key, seed)
                    .isPresent()
                    .hasValueSatisfying(state -> assertThat(state).isIn(State.COMPLETED, State.UNKNOWN));
        }
    }

    /** A client that repeats its request a few times; each time it is a new claim, as if another process had got it. */
    private void requestUntilAnswered(String key, Map<String, AtomicInteger> ledger) {
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                ClaimAnswer answer = await(store.claim(request(key)));
                if (answer instanceof ClaimAnswer.Granted granted) {
                    ledger.computeIfAbsent(key, ignored -> new AtomicInteger()).incrementAndGet();
                    await(store.settle(granted.lease(), completed("done"), RETENTION));
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
