package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.LEASE;
import static dev.semel.testkit.contract.StoreVerbs.OTHER_FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.jdbc.batch.OneBatch;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Renewing;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PostgreSQL: each call of a batch is answered as if it had run alone")
@Timeout(120)
class PostgresBatchesTest extends PostgresVerbs {

    private static final int CALLS = 500;

    private CountingDataSource counting;
    private PostgresFlushes flushes;

    @BeforeEach
    void open() {
        counting = new CountingDataSource(harness().connections());
        flushes = new PostgresFlushes(
                new PostgresStatements(counting.dataSource(), null), TombstoneTable.ABSENT, new SeenKeys());
    }

    private long statementsOf(Runnable work) {
        long before = counting.executions();
        work.run();
        return counting.executions() - before;
    }

    private List<ClaimAnswer> claims(List<ClaimRequest> requests) {
        return OnePostgresBatch.claim(flushes, requests);
    }

    /** In an order that is not that of the keys. */
    private static List<ClaimRequest> requests(int number) {
        List<ClaimRequest> requests = new ArrayList<>(
                IntStream.range(0, number).mapToObj(i -> request("key-" + i)).toList());
        Collections.shuffle(requests, new Random(number));
        return requests;
    }

    private List<Lease> leases(int number) {
        return claims(requests(number)).stream()
                .map(answer -> ((ClaimAnswer.Granted) answer).lease())
                .toList();
    }

    private static Settling settling(Lease lease, Outcome outcome) {
        return new Settling(lease, outcome, RETENTION);
    }

    @Test
    void five_hundred_calls_are_one_statement_and_each_gets_its_own_answer() {
        List<ClaimRequest> requests = requests(CALLS);
        List<Lease> leases = new ArrayList<>();
        assertThat(statementsOf(() ->
                        claims(requests).forEach(answer -> leases.add(((ClaimAnswer.Granted) answer).lease()))))
                .isEqualTo(1);
        for (int i = 0; i < CALLS; i++) {
            assertThat(leases.get(i).identity()).isEqualTo(requests.get(i).identity());
        }
        List<Optional<StoredRecord>> found = new ArrayList<>();
        List<Identity> identities = leases.stream().map(Lease::identity).toList();
        assertThat(statementsOf(() -> found.addAll(OnePostgresBatch.find(flushes, identities))))
                .isEqualTo(1);
        for (int i = 0; i < CALLS; i++) {
            StoredRecord record = found.get(i).orElseThrow();
            assertThat(record.lease()).isEqualTo(leases.get(i));
            assertThat(record.holder()).isEqualTo(requests.get(i).holder());
        }
        List<Renewing> renewals =
                leases.stream().map(lease -> new Renewing(lease, LEASE)).toList();
        assertThat(statementsOf(() ->
                        assertThat(OnePostgresBatch.renew(flushes, renewals)).containsOnly(RenewAnswer.RENEWED)))
                .isEqualTo(1);
        List<Settling> settlements = leases.stream()
                .map(lease -> settling(lease, completed(lease.identity().key().value())))
                .toList();
        assertThat(statementsOf(() -> assertThat(OnePostgresBatch.settle(flushes, settlements))
                        .containsOnly(new SettleAnswer.Settled(State.IN_PROGRESS))))
                .isEqualTo(1);
        for (int i = 0; i < 20; i++) {
            assertThat(record("key-" + i).response()).isEqualTo(StoreVerbs.response("key-" + i));
        }
    }

    @Test
    void of_many_claims_of_one_key_in_one_batch_one_is_granted() {
        List<ClaimRequest> requests =
                Stream.generate(() -> request("k")).limit(CALLS).toList();
        List<ClaimAnswer> answers = claims(requests);
        assertThat(answers).filteredOn(ClaimAnswer.Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(ClaimAnswer.Busy.class::isInstance).hasSize(CALLS - 1);
        int granted = IntStream.range(0, CALLS)
                .filter(i -> answers.get(i) instanceof ClaimAnswer.Granted)
                .findFirst()
                .orElseThrow();
        assertThat(record("k").holder()).isEqualTo(requests.get(granted).holder());
        assertThat(history("k")).hasSize(1);
    }

    @Test
    @DisplayName(
            "a claim that is repeated while the first is on its way is no reason to mix up its neighbours' answers")
    void a_holder_that_occurs_twice_in_a_batch_gets_its_own_lease_twice() {
        ClaimRequest twice = request("key-2");
        List<ClaimRequest> requests =
                List.of(request("key-4"), twice, request("key-1"), twice, request("key-3"), request("key-5"));
        List<ClaimAnswer> answers = claims(requests);
        for (int i = 0; i < requests.size(); i++) {
            Lease lease = ((ClaimAnswer.Granted) answers.get(i)).lease();
            assertThat(lease.identity()).isEqualTo(requests.get(i).identity());
            assertThat(record(lease.identity().key().value()).lease()).isEqualTo(lease);
        }
        assertThat(history("key-2")).hasSize(1);
    }

    @Test
    void a_holder_that_claims_two_keys_in_a_batch_gets_a_lease_of_each() {
        ClaimRequest first = request("key-1");
        ClaimRequest second = new ClaimRequest(id("key-2"), OPERATION, FINGERPRINT, LEASE, false, first.holder());
        for (ClaimAnswer answer : claims(List.of(second, first))) {
            Lease lease = ((ClaimAnswer.Granted) answer).lease();
            assertThat(record(lease.identity().key().value()).lease()).isEqualTo(lease);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a claim whose lease is over at once is granted, and does not block itself")
    void a_lone_claim_does_not_judge_the_record_that_it_has_written(boolean reexecutable) {
        ClaimRequest brief =
                new ClaimRequest(id("k"), OPERATION, FINGERPRINT, Duration.ofNanos(1_000), reexecutable, "holder");
        Lease lease = ((ClaimAnswer.Granted) claims(List.of(brief)).get(0)).lease();
        assertThat(record("k").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record("k").lease()).isEqualTo(lease);
        assertThat(history("k")).hasSize(1);
    }

    /** Brings a store into a state that has something of everything, and says what is asked of it. */
    private static List<ClaimRequest> everything(StoreVerbs verbs) {
        verbs.settle(verbs.granted("expired"), completed("done"), Duration.ofSeconds(1));
        verbs.granted(reexecutable("lapsed-again"));
        verbs.granted(reexecutable("lapsed-not-again"));
        verbs.granted("lapsed");
        verbs.expireLeases();
        verbs.settle(verbs.granted("completed"), completed("done"));
        verbs.settle(verbs.granted("retryable"), notExecuted());
        verbs.unknownLease("unknown");
        verbs.granted("busy");
        verbs.granted("mismatch");
        ClaimRequest same = new ClaimRequest(id("same"), OPERATION, FINGERPRINT, LEASE, false, "holder-of-same");
        verbs.granted(same);
        return List.of(
                request("unknown"),
                request("new"),
                request("expired"),
                request("completed"),
                request("mismatch").withFingerprint(OTHER_FINGERPRINT),
                request("retryable"),
                reexecutable("lapsed-again"),
                request("lapsed-not-again"),
                request("lapsed"),
                request("busy"),
                same,
                request("new-too"));
    }

    @Test
    void claims_on_records_in_every_state_get_in_a_batch_what_they_get_alone() throws SQLException {
        List<String> together =
                claims(everything(this)).stream().map(PostgresBatchesTest::said).toList();
        try (PostgresHarness other = new PostgresHarness()) {
            StoreVerbs alone = () -> other;
            List<String> oneByOne = everything(alone).stream()
                    .map(request -> said(alone.claim(request)))
                    .toList();
            assertThat(together).isEqualTo(oneByOne);
        }
        assertThat(together).doesNotHaveDuplicates();
    }

    /** An answer without fences and times, which are different each time. */
    private static String said(ClaimAnswer answer) {
        String kind = answer.getClass().getSimpleName();
        if (answer instanceof ClaimAnswer.Busy) {
            return kind;
        }
        StoredRecord record = answer instanceof ClaimAnswer.Granted granted
                ? granted.record()
                : answer instanceof ClaimAnswer.Recorded recorded
                        ? recorded.record()
                        : answer instanceof ClaimAnswer.Mismatch mismatch
                                ? mismatch.record()
                                : ((ClaimAnswer.Unknown) answer).record();
        return kind + " " + record.identity().key().value() + " " + record.state() + " attempt " + record.attempts()
                + " reason " + record.reason() + " doubt " + (record.times().doubtSince() != null);
    }

    @Test
    void right_and_stale_settlements_in_one_batch_get_their_own_answers() {
        List<Lease> leases = leases(10);
        List<Settling> settlements = new ArrayList<>();
        for (int i = 0; i < leases.size(); i++) {
            Lease lease = leases.get(i);
            settlements.add(settling(
                    i % 2 == 0 ? lease : new Lease(lease.identity(), lease.fence() + 1_000), completed("done " + i)));
        }
        settlements.add(settling(new Lease(id("absent"), 1), completed("done")));
        long before = counting.executions();
        List<SettleAnswer> answers = OnePostgresBatch.settle(flushes, settlements);
        assertThat(counting.executions() - before)
                .as("one read for all refused")
                .isEqualTo(2);
        for (int i = 0; i < leases.size(); i++) {
            if (i % 2 == 0) {
                assertThat(answers.get(i)).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
            } else {
                assertThat(((SettleAnswer.Refused) answers.get(i))
                                .current()
                                .orElseThrow()
                                .lease())
                        .isEqualTo(leases.get(i));
            }
        }
        assertThat(answers.get(10)).isEqualTo(new SettleAnswer.Refused(Optional.empty()));
    }

    @Test
    void a_lease_that_is_settled_twice_in_one_batch_is_settled_once_and_the_other_learns_by_whom() {
        Lease lease = leases(1).get(0);
        List<SettleAnswer> answers = OnePostgresBatch.settle(
                flushes, List.of(settling(lease, completed("first")), settling(lease, completed("second"))));
        assertThat(answers.get(0)).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(((SettleAnswer.Refused) answers.get(1))
                        .current()
                        .orElseThrow()
                        .response())
                .isEqualTo(StoreVerbs.response("first"));
    }

    @Test
    @DisplayName("an attempt that gives up and then answers, both in one batch, has answered")
    void a_late_answer_in_the_batch_of_its_own_unknown_outcome_is_accepted() {
        for (Lease lease : leases(5)) {
            assertThat(OnePostgresBatch.settle(
                            flushes, List.of(settling(lease, unknown()), settling(lease, completed("late")))))
                    .containsExactly(
                            new SettleAnswer.Settled(State.IN_PROGRESS), new SettleAnswer.Settled(State.UNKNOWN));
        }
    }

    @Test
    void a_lease_that_is_renewed_twice_in_one_batch_is_renewed_both_times() {
        List<Lease> leases = leases(3);
        Lease lost = new Lease(leases.get(2).identity(), leases.get(2).fence() + 1_000);
        List<Renewing> renewals = Stream.of(leases.get(1), lost, leases.get(0), leases.get(1), leases.get(1), lost)
                .map(lease -> new Renewing(lease, LEASE))
                .toList();
        assertThat(OnePostgresBatch.renew(flushes, renewals))
                .containsExactly(
                        RenewAnswer.RENEWED,
                        RenewAnswer.LOST,
                        RenewAnswer.RENEWED,
                        RenewAnswer.RENEWED,
                        RenewAnswer.RENEWED,
                        RenewAnswer.LOST);
    }

    @Test
    void a_record_that_is_asked_for_twice_in_one_batch_is_found_twice() {
        Lease lease = leases(2).get(0);
        List<Optional<StoredRecord>> found =
                OnePostgresBatch.find(flushes, List.of(lease.identity(), id("absent"), lease.identity()));
        assertThat(found.get(0).orElseThrow().lease()).isEqualTo(lease);
        assertThat(found.get(1)).isEmpty();
        assertThat(found.get(2).orElseThrow().lease()).isEqualTo(lease);
    }

    /** All are granted but the one at this position. */
    private void assertGrantedBut(int bad, List<ClaimRequest> requests) {
        List<PostgresCall.Claim> calls = OnePostgresBatch.claims(requests);
        OneBatch.flush(flushes::write, calls);
        for (int i = 0; i < calls.size(); i++) {
            if (i == bad) {
                assertThat(OneBatch.future(calls.get(i))).isCompletedExceptionally();
            } else {
                assertThat(calls.get(i).answer()).isInstanceOf(ClaimAnswer.Granted.class);
            }
        }
        assertThat(find(requests.get(bad).identity().key().value())).isEmpty();
    }

    @Test
    void a_claim_that_the_database_cannot_hold_fails_alone() {
        List<ClaimRequest> requests = requests(100);
        ClaimRequest bad = requests.get(42);
        requests.set(42, new ClaimRequest(bad.identity(), "create\0payment", FINGERPRINT, LEASE, false, bad.holder()));
        assertGrantedBut(42, requests);
    }

    @Test
    void a_claim_that_breaks_a_rule_of_the_tables_fails_alone() {
        harness().execute("ALTER TABLE semel_record ADD CONSTRAINT other_keys CHECK (key <> 'key-7')");
        List<ClaimRequest> requests = requests(100);
        assertGrantedBut(positionOf("key-7", requests), requests);
    }

    @Test
    void a_claim_that_a_trigger_objects_to_fails_alone() {
        harness().execute("""
                CREATE FUNCTION object() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN IF NEW.key = 'key-7' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END
                $$;
                CREATE TRIGGER object BEFORE INSERT ON semel_record FOR EACH ROW EXECUTE FUNCTION object();
                """);
        List<ClaimRequest> requests = requests(100);
        assertGrantedBut(positionOf("key-7", requests), requests);
    }

    private static int positionOf(String key, List<ClaimRequest> requests) {
        return IntStream.range(0, requests.size())
                .filter(i -> requests.get(i).identity().equals(id(key)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("a duration that no database can hold is refused before it shares a batch with others")
    void a_duration_out_of_bounds_is_refused_at_once() {
        Duration forever = Duration.ofDays(1_000_000);
        Lease lease = granted("k");
        ClaimRequest bad = new ClaimRequest(id("other"), OPERATION, FINGERPRINT, forever, false, "holder");
        assertThatThrownBy(() -> store().claim(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store().renew(lease, forever)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store().settle(lease, completed("done"), forever))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
