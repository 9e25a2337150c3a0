package dev.semel.cassandra;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.contract.StoreVerbs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * I1 and I12 while conditional writes fail: what was decided is found out, and what cannot be found out is a fault. A write that
 * timed out and counts as not applied is refused settlements, doubled steps and second grants here.
 */
@DisplayName("Cassandra: lightweight transactions without a clear answer")
class CassandraFaultsTest {

    private static final Duration RETENTION = StoreVerbs.RETENTION;

    private final CassandraHarness harness = new CassandraHarness();
    private final Store store = harness.store();
    private final AtomicInteger faults = new AtomicInteger();

    @AfterEach
    void close() {
        harness.close();
    }

    /** What happens to a conditional write. */
    enum Fault {
        /** It is decided, and the answer is a timeout. */
        TIMEOUT_APPLIED(true),
        /** It is not decided, and the answer is the same timeout. */
        TIMEOUT_NOT_APPLIED(false),
        /** It is decided, and there is no answer. */
        NO_ANSWER_APPLIED(true),
        /** It never arrives, and there is no answer. */
        NO_ANSWER_NOT_APPLIED(false),
        /** Too few replicas are alive. */
        UNAVAILABLE(false);

        private final boolean applied;

        Fault(boolean applied) {
            this.applied = applied;
        }

        CompletionStage<AsyncResultSet> on(
                Statement<?> statement, Function<Statement<?>, CompletionStage<AsyncResultSet>> send) {
            return applied
                    ? Between.afterwards(send.apply(statement), exception())
                    : CompletableFuture.failedFuture(exception());
        }

        private RuntimeException exception() {
            Node node = CassandraServers.session()
                    .getMetadata()
                    .getNodes()
                    .values()
                    .iterator()
                    .next();
            return switch (this) {
                case TIMEOUT_APPLIED, TIMEOUT_NOT_APPLIED ->
                    new WriteTimeoutException(node, DefaultConsistencyLevel.SERIAL, 1, 2, DefaultWriteType.CAS);
                case NO_ANSWER_APPLIED, NO_ANSWER_NOT_APPLIED -> new DriverTimeoutException("no answer in time");
                case UNAVAILABLE -> new UnavailableException(node, DefaultConsistencyLevel.SERIAL, 2, 1);
            };
        }
    }

    /** Lets the next conditional write fail. */
    private void next(Fault fault) {
        AtomicInteger left = new AtomicInteger(1);
        harness.between()
                .fail((statement, send) -> Between.isWrite(statement) && left.getAndDecrement() > 0
                        ? fault.on(statement, send)
                        : send.apply(statement));
    }

    private void noFaults() {
        harness.between().fail((statement, send) -> send.apply(statement));
    }

    private Lease granted(ClaimRequest request) {
        return ((ClaimAnswer.Granted) await(store.claim(request))).lease();
    }

    private List<Change> changes(String key) {
        return store.history(id(key)).stream().map(AuditEntry::change).toList();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("one fault: every verb is done once, and answers as if nothing had happened")
    void one_fault(Fault fault) {
        next(fault);
        Lease lease = granted(request("k"));
        next(fault);
        assertThat(await(store.renew(lease, StoreVerbs.LEASE))).isEqualTo(RenewAnswer.RENEWED);
        next(fault);
        assertThat(await(store.step(lease, "reserve", StoreVerbs.response("7"))))
                .isEqualTo(StepAnswer.RECORDED);
        next(fault);
        assertThat(await(store.settle(lease, StoreVerbs.unknown(), RETENTION)))
                .isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        next(fault);
        assertThat(store.reschedule(lease, new Reschedule.DeadLetter(0), StoreVerbs.EVIDENCE))
                .isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        next(fault);
        assertThat(store.reconcile(lease, completed("found"), StoreVerbs.EVIDENCE, RETENTION))
                .isEqualTo(new SettleAnswer.Settled(State.UNKNOWN));
        assertThat(changes("k"))
                .containsExactly(Change.GRANTED, Change.STEP, Change.SETTLED, Change.DEAD_LETTERED, Change.RECONCILED);
        next(fault);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("a sweeper whose answers are lost notices each lease once")
    void lost_sweep() {
        for (int i = 0; i < 5; i++) {
            granted(request("k" + i));
        }
        harness.elapse(StoreVerbs.LEASE.plusSeconds(1));
        AtomicInteger left = new AtomicInteger(5);
        harness.between()
                .fail((statement, send) -> Between.isWrite(statement) && left.getAndDecrement() > 0
                        ? Fault.TIMEOUT_APPLIED.on(statement, send)
                        : send.apply(statement));
        assertThat(store.sweep(10)).hasSize(5);
        for (int i = 0; i < 5; i++) {
            assertThat(changes("k" + i)).containsExactly(Change.GRANTED, Change.GIVEN_UP);
        }
    }

    @Test
    @DisplayName("a claim that cannot be found out is a fault, and the same claim gets the lease that was written")
    void lost_claim() {
        ClaimRequest claim = request("k");
        harness.between()
                .fail((statement, send) -> Between.isWrite(statement)
                        ? Fault.TIMEOUT_APPLIED.on(statement, send)
                        : Fault.UNAVAILABLE.on(statement, send));
        assertThatThrownBy(() -> await(store.claim(claim)))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("may or may not have happened");
        noFaults();
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Busy.class);
        Lease lease = granted(claim);
        assertThat(changes("k")).containsExactly(Change.GRANTED);
        assertThat(await(store.settle(lease, completed("done"), RETENTION))).isInstanceOf(SettleAnswer.Settled.class);
    }

    @Test
    @DisplayName("I12: with too few replicas every claim is a fault, and nothing is granted")
    void unavailable() {
        harness.between().fail(Fault.UNAVAILABLE::on);
        assertThatThrownBy(() -> await(store.claim(request("k")))).hasCauseInstanceOf(StoreException.class);
        noFaults();
        assertThat(await(store.find(id("k")))).isEmpty();
    }

    @Test
    @DisplayName("a write that is carried out after its key was taken by another process changes nothing")
    void late_write() {
        List<Runnable> late = new ArrayList<>();
        harness.between().fail((statement, send) -> {
            if (!Between.isWrite(statement)) {
                return Fault.UNAVAILABLE.on(statement, send);
            }
            late.add(() -> send.apply(statement).toCompletableFuture().join());
            return Fault.NO_ANSWER_NOT_APPLIED.on(statement, send);
        });
        assertThatThrownBy(() -> await(store.claim(request("k")))).hasCauseInstanceOf(StoreException.class);
        noFaults();
        Lease lease = granted(request("k"));
        late.forEach(Runnable::run);
        assertThat(changes("k")).containsExactly(Change.GRANTED);
        assertThat(await(store.settle(lease, completed("done"), RETENTION))).isInstanceOf(SettleAnswer.Settled.class);
        late.forEach(Runnable::run);
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName(
            "I1, I11: under hundreds of faults no key executes twice, and afterwards every record is completed or unknown")
    void many_faults() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        harness.between().fail((statement, send) -> {
            int number;
            synchronized (random) {
                number = random.nextInt(3 * Fault.values().length);
            }
            if (!Between.isWrite(statement) || number >= Fault.values().length) {
                return send.apply(statement);
            }
            faults.incrementAndGet();
            return Fault.values()[number].on(statement, send);
        });
        int keys = 150;
        Map<String, AtomicInteger> ledger = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < 4; client++) {
            Store own = client % 2 == 0 ? store : harness.another();
            clients.add(CompletableFuture.runAsync(() -> {
                for (int k = 0; k < keys; k++) {
                    requestUntilAnswered(own, "k" + k, ledger);
                }
            }));
        }
        clients.forEach(CompletableFuture::join);
        noFaults();
        harness.elapse(StoreVerbs.LEASE.plusSeconds(1));
        store.sweep(1000);
        assertThat(faults.get()).as("seed %d", seed).isGreaterThan(200);
        for (int k = 0; k < keys; k++) {
            String key = "k" + k;
            int executions = ledger.containsKey(key) ? ledger.get(key).get() : 0;
            assertThat(executions).as("executions of %s, seed %d", key, seed).isLessThanOrEqualTo(1);
            assertThat(await(store.find(id(key))).map(record -> record.state()))
                    .as("%s, seed %d", key, seed)
                    .hasValueSatisfying(state -> assertThat(state).isIn(State.COMPLETED, State.UNKNOWN));
        }
    }

    /** A client that repeats its request a few times; each time it is a new claim, as if another process had got it. */
    private static void requestUntilAnswered(Store store, String key, Map<String, AtomicInteger> ledger) {
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
