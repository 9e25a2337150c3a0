package dev.semel.jdbc.postgresql;

import static dev.semel.testkit.contract.StoreVerbs.OTHER_FINGERPRINT;
import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.reexecutable;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("PostgreSQL: what a verb costs")
class PostgresStatementsTest extends PostgresVerbs {

    private long statementsOf(Runnable work) {
        long before = harness().roundTrips();
        work.run();
        return harness().roundTrips() - before;
    }

    @Test
    void every_verb_is_one_statement_and_a_refused_settlement_reads_once_more() {
        Lease lease = granted("warm-up");
        assertThat(statementsOf(() -> granted("k"))).as("claim").isEqualTo(1);
        assertThat(statementsOf(() -> claim("k"))).as("busy claim").isEqualTo(1);
        assertThat(statementsOf(() -> renew(lease))).as("renewal").isEqualTo(1);
        assertThat(statementsOf(() -> settle(lease, completed("done"))))
                .as("settlement")
                .isEqualTo(1);
        assertThat(statementsOf(() -> claim("warm-up"))).as("replay").isEqualTo(1);
        assertThat(statementsOf(() -> find("k"))).as("find").isEqualTo(1);
        assertThat(statementsOf(() -> prune(10, Expiry.DELETE))).as("prune").isEqualTo(1);
        assertThat(statementsOf(() -> prune(10, Expiry.MARK))).as("mark").isEqualTo(1);
        assertThat(statementsOf(() -> settle(lease, completed("again"))))
                .as("refused settlement")
                .isEqualTo(2);
        Lease running = granted("running");
        assertThat(statementsOf(() -> step(running, "charge", response("charged"))))
                .as("step")
                .isEqualTo(1);
        assertThat(statementsOf(() -> history("running"))).as("history").isEqualTo(1);
        assertThat(statementsOf(() -> sweep(10))).as("sweep").isEqualTo(1);
        assertThat(statementsOf(() -> due(10))).as("due").isEqualTo(1);
        assertThat(statementsOf(() -> store().listUnknown(UnknownFilter.ALL, 10)))
                .as("list of what is unknown")
                .isEqualTo(1);
        Lease unknown = unknownLease("u");
        assertThat(statementsOf(() -> reschedule(unknown, new Reschedule.DeadLetter(0))))
                .as("dead letter")
                .isEqualTo(1);
        assertThat(statementsOf(() -> reconcile(unknown, completed("found"))))
                .as("reconciliation")
                .isEqualTo(1);
    }

    @Test
    void a_claim_that_finds_an_answer_takes_no_transaction_id_and_leaves_the_row_as_it_is() {
        settle(granted("done"), completed("done"));
        unknownLease("unknown");
        granted("running");
        ClaimAnswer.Granted own = (ClaimAnswer.Granted) claim(request(id("own")));
        String before = fingerprintOfServer();

        assertThat(claim("done")).isInstanceOf(ClaimAnswer.Recorded.class);
        assertThat(claim("unknown")).isInstanceOf(ClaimAnswer.Unknown.class);
        assertThat(claim("running")).isInstanceOf(ClaimAnswer.Busy.class);
        assertThat(claim(request("done").withFingerprint(OTHER_FINGERPRINT))).isInstanceOf(ClaimAnswer.Mismatch.class);
        assertThat(await(store().find(own.lease().identity()))).isPresent();

        assertThat(fingerprintOfServer()).isEqualTo(before);
    }

    @Test
    void a_repeated_claim_of_the_same_holder_writes_nothing() {
        var request = request("k");
        Lease first = granted(request);
        String before = fingerprintOfServer();
        assertThat(granted(request)).isEqualTo(first);
        assertThat(fingerprintOfServer()).isEqualTo(before);
    }

    @Test
    void looking_for_records_and_finding_none_takes_no_transaction_id() {
        granted("running");
        granted(reexecutable("re-offered"));
        expireLeases();
        sweep(10);
        due(10);
        String before = fingerprintOfServer();
        assertThat(sweep(10)).isEmpty();
        assertThat(due(10)).isEmpty();
        assertThat(prune(10, Expiry.DELETE)).isZero();
        assertThat(prune(10, Expiry.MARK)).isZero();
        assertThat(fingerprintOfServer()).isEqualTo(before);
    }

    /** Where each row lies, who wrote and locked it, and which transaction and fence would be next. */
    private String fingerprintOfServer() {
        return harness().text("""
                SELECT (SELECT string_agg(concat_ws(',', key, ctid, xmin, xmax), ';' ORDER BY key) FROM semel_record)
                       || ' entries ' || (SELECT count(*) FROM semel_audit)
                       || ' next ' || pg_snapshot_xmax(pg_current_snapshot())
                       || ' fence ' || (SELECT last_value FROM semel_fence)
                """);
    }
}
