package dev.semel.jdbc.mysql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Lease;
import dev.semel.State;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.OneBatch;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.jdbc.testing.Uris;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.servers.MariadbServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("MariaDB: batches")
@Timeout(120)
class MysqlBatchesTest {

    private String uri;
    private HikariDataSource pool;
    private CountingDataSource counting;
    private MysqlStore store;
    private MysqlFlush flush;

    @BeforeEach
    void open() throws SQLException {
        uri = MariadbServer.shared().newDatabase();
        pool = MysqlPool.open(Uris.mysql(uri).server());
        counting = new CountingDataSource(pool);
        store = new MysqlStore(counting.dataSource());
        flush = new MysqlFlush(new MysqlConnections(counting.dataSource(), pool, 1 << 24, TombstoneTable.ABSENT));
    }

    @AfterEach
    void close() {
        store.close();
        pool.close();
    }

    /** Flushes these as one batch; the answers in their order. */
    private static <Q, A> List<A> answers(List<Q> questions, Consumer<List<BatchCall<Q, A>>> flushing) {
        List<BatchCall<Q, A>> calls = OneBatch.calls(questions);
        OneBatch.flush(flushing, calls);
        return OneBatch.answers(calls);
    }

    private List<ClaimAnswer> claim(ClaimRequest... requests) {
        return answers(List.of(requests).stream().map(MysqlFlush.Claiming::new).toList(), flush::claim);
    }

    private static Lease leaseOf(ClaimAnswer answer) {
        return ((ClaimAnswer.Granted) answer).lease();
    }

    @Test
    @DisplayName("I1: of two claims of one key in one batch, one is granted and the other finds it so")
    void one_key_twice() {
        List<ClaimAnswer> answers = claim(request("k"), request("other"), request("k"));
        assertThat(answers.get(0)).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(answers.get(1)).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(answers.get(2))
                .isInstanceOfSatisfying(
                        ClaimAnswer.Busy.class,
                        busy -> assertThat(busy.leaseRemaining()).isPositive());
        assertThat(await(store.find(id("k"))).orElseThrow().lease()).isEqualTo(leaseOf(answers.get(0)));
        assertThat(store.history(id("k"))).hasSize(1);
    }

    @Test
    @DisplayName("I2: a lease that ends within its own batch is taken over there, with the higher fence")
    void taken_over_within_a_batch() {
        ClaimRequest first = reexecutable("k");
        ClaimRequest over = new ClaimRequest(
                first.identity(), first.operation(), first.fingerprint(), Duration.ZERO, true, first.holder());
        List<ClaimAnswer> answers = claim(over, reexecutable("k"));
        assertThat(leaseOf(answers.get(1)).fence())
                .isGreaterThan(leaseOf(answers.get(0)).fence());
        StoredRecord record = await(store.find(id("k"))).orElseThrow();
        assertThat(record.lease()).isEqualTo(leaseOf(answers.get(1)));
        assertThat(record.attempts()).isEqualTo(2);
        List<AuditEntry> history = store.history(id("k"));
        assertThat(history).extracting(AuditEntry::change).containsExactly(Change.GRANTED, Change.TAKEN_OVER);
        assertThat(history)
                .extracting(AuditEntry::fence)
                .containsExactly(
                        leaseOf(answers.get(0)).fence(), leaseOf(answers.get(1)).fence());
    }

    @Test
    void one_lease_settled_twice_is_settled_once() {
        Lease lease = leaseOf(await(store.claim(request("k"))));
        MysqlEntry<SettleAnswer> settling = MysqlEntry.settle(lease, completed("done"), RETENTION);
        List<SettleAnswer> answers = answers(List.of(settling, settling), flush::write);
        assertThat(answers.get(0)).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(answers.get(1))
                .isInstanceOfSatisfying(
                        SettleAnswer.Refused.class,
                        refused -> assertThat(refused.current()).isPresent());
        assertThat(store.history(id("k"))).hasSize(2);
    }

    @Test
    void a_record_that_is_not_there_leaves_nothing_in_its_place() throws SQLException {
        Lease lease = leaseOf(await(store.claim(request("k"))));
        Lease absent = new Lease(id("absent"), 1);
        MysqlEntry<SettleAnswer> nothing = MysqlEntry.settle(absent, completed("done"), RETENTION);
        MysqlEntry<SettleAnswer> something = MysqlEntry.settle(lease, completed("done"), RETENTION);
        List<SettleAnswer> answers = answers(List.of(nothing, something), flush::write);
        assertThat(answers.get(0)).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(answers.get(1)).isInstanceOf(SettleAnswer.Settled.class);
        List<SettleAnswer> alone = answers(List.of(nothing), flush::write);
        assertThat(alone.get(0)).isInstanceOf(SettleAnswer.Refused.class);
        assertThat(MariadbServer.text(uri, "SELECT COUNT(*) FROM semel_record")).isEqualTo("1");
    }

    @Test
    void a_batch_of_two_hundred_takes_as_many_statements_as_a_claim_alone() {
        List<ClaimRequest> requests = new ArrayList<>();
        for (int i = 0; i < MysqlTables.ROWS; i++) {
            requests.add(request("key-" + i));
        }
        long before = counting.executions();
        List<ClaimAnswer> answers = claim(requests.toArray(new ClaimRequest[0]));
        assertThat(counting.executions() - before)
                .as("read, lock, look, audit, write")
                .isEqualTo(5);
        assertThat(answers)
                .extracting(answer -> leaseOf(answer).fence())
                .doesNotHaveDuplicates()
                .isSorted();
        for (ClaimAnswer answer : List.of(answers.get(0), answers.get(77), answers.get(199))) {
            assertThat(await(store.find(leaseOf(answer).identity()))
                            .orElseThrow()
                            .lease())
                    .isEqualTo(leaseOf(answer));
            assertThat(store.history(leaseOf(answer).identity()))
                    .extracting(AuditEntry::fence)
                    .containsExactly(leaseOf(answer).fence());
        }
    }

    @Test
    void a_replay_is_one_statement_and_a_settlement_four_besides_begin_and_commit() {
        long start = counting.executions();
        Lease lease = leaseOf(await(store.claim(request("k"))));
        long claimed = counting.executions();
        await(store.settle(lease, completed("done"), RETENTION));
        long settled = counting.executions();
        assertThat(await(store.claim(request("k")))).isInstanceOf(ClaimAnswer.Recorded.class);
        long replayed = counting.executions();
        await(store.find(id("k")));
        assertThat(claimed - start).as("claim").isEqualTo(5);
        assertThat(settled - claimed).as("settle").isEqualTo(4);
        assertThat(replayed - settled).as("replay").isEqualTo(1);
        assertThat(counting.executions() - replayed).as("find").isEqualTo(1);
    }
}
