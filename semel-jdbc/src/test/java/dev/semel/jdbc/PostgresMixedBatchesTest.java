package dev.semel.jdbc;

import static dev.semel.testkit.contract.StoreVerbs.RETENTION;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.jdbc.PostgresBatch.Settling;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.testkit.contract.StoreVerbs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("PostgreSQL: claims and settlements that share a transaction are each told what became of them")
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
        flushes = new PostgresFlushes(new PostgresStatements(breaking.dataSource(), null));
        leases = leasesOf(write(requests("running")));
    }

    private static List<Object> requests(String key) {
        return IntStream.range(0, CALLS)
                .<Object>mapToObj(i -> request(key + "-" + i))
                .toList();
    }

    private static Settling settling(Lease lease) {
        return new Settling(lease, completed(lease.identity().key().value()), RETENTION);
    }

    /** Claims of new keys, and in between the settlements of what is running. */
    private List<Object> mixture() {
        List<Object> questions = new ArrayList<>();
        for (Object request : requests("new")) {
            questions.add(settling(leases.get(questions.size() / 2)));
            questions.add(request);
        }
        return questions;
    }

    private List<CompletableFuture<Object>> write(List<Object> questions) {
        return Together.flush(flushes::write, questions);
    }

    private static List<Lease> leasesOf(List<CompletableFuture<Object>> claims) {
        return claims.stream()
                .map(call -> ((ClaimAnswer.Granted) call.join()).lease())
                .toList();
    }

    private static <T> List<T> every(List<T> all, int second) {
        return IntStream.range(0, all.size() / 2)
                .mapToObj(i -> all.get(2 * i + second))
                .toList();
    }

    @Test
    void they_are_one_round_trip_and_each_gets_its_own_answer() {
        long before = counting.executions();
        List<CompletableFuture<Object>> calls = write(mixture());
        assertThat(counting.executions() - before).isEqualTo(1);
        assertThat(every(calls, 0))
                .extracting(CompletableFuture::join)
                .containsOnly(new SettleAnswer.Settled(State.IN_PROGRESS));
        List<Lease> granted = leasesOf(every(calls, 1));
        for (int i = 0; i < CALLS; i++) {
            assertThat(record("new-" + i).lease()).isEqualTo(granted.get(i));
            assertThat(record("running-" + i).response()).isEqualTo(StoreVerbs.response("running-" + i));
        }
    }

    @Test
    void when_the_connection_is_lost_claims_find_their_leases_and_settlements_are_told_that_nobody_knows() {
        breaking.loseNextAnswer();
        List<CompletableFuture<Object>> calls = write(mixture());
        assertThat(every(calls, 0))
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(java.time.Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(LostException.class));
        List<Lease> granted = leasesOf(every(calls, 1));
        for (int i = 0; i < CALLS; i++) {
            assertThat(record("new-" + i).lease()).isEqualTo(granted.get(i));
            assertThat(record("new-" + i).attempts()).isEqualTo(1);
            assertThat(record("running-" + i).state()).as("it was committed").isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void a_claim_of_a_key_that_is_settled_in_the_same_batch_is_told_of_one_state_or_the_other() {
        List<CompletableFuture<Object>> calls =
                write(List.of(request("running-0"), settling(leases.get(0)), request("running-0")));
        assertThat(calls.get(1).join()).isEqualTo(new SettleAnswer.Settled(State.IN_PROGRESS));
        assertThat(List.of(calls.get(0).join(), calls.get(2).join()))
                .allSatisfy(answer ->
                        assertThat(answer).isInstanceOfAny(ClaimAnswer.Busy.class, ClaimAnswer.Recorded.class));
    }

    @Test
    void a_settlement_that_cannot_be_stored_fails_alone() {
        harness().execute("ALTER TABLE semel_record ADD CHECK (length(response) <> 7)");
        List<Object> questions = new ArrayList<>(mixture());
        questions.set(6, new Settling(leases.get(3), completed("1234567"), RETENTION));
        List<CompletableFuture<Object>> calls = write(questions);
        for (int i = 0; i < calls.size(); i++) {
            CompletableFuture<Object> call = calls.get(i);
            if (i == 6) {
                assertThat(call).isCompletedExceptionally();
                assertThat(call.handle((answer, fault) -> fault).join())
                        .isInstanceOfAny(UndoneException.class, CompletionException.class);
            } else {
                assertThat(call).isCompleted();
            }
        }
        assertThat(record("running-3").state()).isEqualTo(State.IN_PROGRESS);
    }
}
