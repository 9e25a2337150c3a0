package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.jdbc.batch.OneBatch;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.postgresql.PostgresBatch.Settling;
import dev.semel.jdbc.testing.BreakingDataSource;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: claims and settlements that share a transaction each get their own answer")
@Timeout(120)
class PostgresMixedBatchesTest extends PostgresVerbs {

    private static final int CALLS = 20;

    private CountingDataSource counting;
    private BreakingDataSource breaking;
    private PostgresFlushes flushes;
    private List<Lease> leases;

    @BeforeEach
    void open() {
        counting = new CountingDataSource(harness().connections());
        breaking = new BreakingDataSource(counting.dataSource());
        flushes = new PostgresFlushes(
                new PostgresStatements(breaking.dataSource(), null), TombstoneTable.ABSENT, new SeenKeys());
        leases = leasesOf(OnePostgresBatch.claim(flushes, requests("running")));
    }

    private static List<ClaimRequest> requests(String key) {
        return IntStream.range(0, CALLS).mapToObj(i -> request(key + "-" + i)).toList();
    }

    private static Settling settling(Lease lease) {
        return new Settling(lease, completed(lease.identity().key().value()), RETENTION);
    }

    private static List<Lease> leasesOf(List<ClaimAnswer> answers) {
        return answers.stream()
                .map(answer -> ((ClaimAnswer.Granted) answer).lease())
                .toList();
    }

    /** Claims of new keys, and in between the settlements of the leases. */
    private final class Mixture {

        private final List<PostgresCall.Claim> claims = OnePostgresBatch.claims(requests("new"));
        private final List<PostgresCall.Settle> settlements;

        Mixture(List<Settling> settlements) {
            this.settlements = OnePostgresBatch.settlements(settlements);
        }

        Mixture write() {
            List<PostgresCall<?, ?>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(settlements.get(i));
                calls.add(claims.get(i));
            }
            OneBatch.flush(flushes::write, calls);
            return this;
        }

        List<Lease> granted() {
            return leasesOf(OneBatch.answers(claims));
        }
    }

    private List<Settling> settlements() {
        return new ArrayList<>(
                leases.stream().map(PostgresMixedBatchesTest::settling).toList());
    }

    @Test
    void they_are_one_round_trip_and_each_gets_its_own_answer() {
        long before = counting.executions();
        Mixture mixture = new Mixture(settlements()).write();
        assertThat(counting.executions() - before).isEqualTo(1);
        assertThat(OneBatch.answers(mixture.settlements)).containsOnly(new SettleAnswer.Settled(State.IN_PROGRESS));
        List<Lease> granted = mixture.granted();
        for (int i = 0; i < CALLS; i++) {
            assertThat(record("new-" + i).lease()).isEqualTo(granted.get(i));
            assertThat(record("running-" + i).response()).isEqualTo(StoreVerbs.response("running-" + i));
        }
    }

    @Test
    void when_the_connection_is_lost_claims_find_their_leases_and_settlements_fail_as_lost() {
        breaking.loseNextAnswer();
        Mixture mixture = new Mixture(settlements()).write();
        assertThat(mixture.settlements)
                .allSatisfy(call -> assertThatThrownBy(call::answer).isInstanceOf(LostException.class));
        List<Lease> granted = mixture.granted();
        for (int i = 0; i < CALLS; i++) {
            assertThat(record("new-" + i).lease()).isEqualTo(granted.get(i));
            assertThat(record("new-" + i).attempts()).isEqualTo(1);
            assertThat(record("running-" + i).state()).as("it was committed").isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void a_claim_of_a_key_that_is_settled_in_the_same_batch_is_answered_by_one_state_or_the_other() {
        List<PostgresCall.Claim> claims = OnePostgresBatch.claims(List.of(request("running-0"), request("running-0")));
        PostgresCall.Settle settlement = new PostgresCall.Settle(settling(leases.get(0)));
        OneBatch.<PostgresCall<?, ?>>flush(flushes::write, List.of(claims.get(0), settlement, claims.get(1)));
        assertThat(settlement.answer()).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(OneBatch.answers(claims))
                .allSatisfy(answer ->
                        assertThat(answer).isInstanceOfAny(ClaimAnswer.Busy.class, ClaimAnswer.Recorded.class));
    }

    @Test
    void a_settlement_that_cannot_be_stored_fails_alone() {
        harness().execute("ALTER TABLE semel_record ADD CHECK (length(response) <> 7)");
        List<Settling> settlements = settlements();
        settlements.set(3, new Settling(leases.get(3), completed("1234567"), RETENTION));
        Mixture mixture = new Mixture(settlements).write();
        assertThat(mixture.granted()).hasSize(CALLS);
        for (int i = 0; i < CALLS; i++) {
            PostgresCall.Settle call = mixture.settlements.get(i);
            if (i == 3) {
                assertThatThrownBy(call::answer).isInstanceOf(UndoneException.class);
            } else {
                assertThat(call.answer()).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
            }
        }
        assertThat(record("running-3").state()).isEqualTo(State.IN_PROGRESS);
    }
}
