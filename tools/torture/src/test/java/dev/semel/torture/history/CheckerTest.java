package dev.semel.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Read;
import dev.semel.torture.history.FaultEvent.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The history checker")
class CheckerTest {

    private static void assertValid(Story story) {
        assertThat(story.check()).isInstanceOf(CheckResult.Valid.class);
    }

    private static List<Violation> violations(Story story) {
        assertThat(story.check()).isInstanceOf(CheckResult.Invalid.class);
        return ((CheckResult.Invalid) story.check()).violations();
    }

    private static void assertBroken(Story story, String invariant, String what) {
        assertThat(violations(story)).anySatisfy(violation -> {
            assertThat(violation.invariant()).isEqualTo(invariant);
            assertThat(violation.what()).contains(what);
        });
    }

    private static Story unknownAndThen() {
        return new Story().granted(null, 7).givenUp(7).after(Story.SETTLE_WINDOW);
    }

    @Nested
    @DisplayName("accepts")
    class Valid {

        @Test
        void a_charge_that_is_replayed() {
            assertValid(Story.usual());
        }

        @Test
        void a_decline_that_is_replayed() {
            assertValid(new Story()
                    .granted(null, 7)
                    .declined("a1", 7)
                    .settled(State.COMPLETED, 7)
                    .answeredDeclined("a1")
                    .answeredDeclined("a1")
                    .end(State.COMPLETED, 7));
        }

        @Test
        void a_second_attempt_after_one_that_had_no_effect() {
            assertValid(new Story()
                    .granted(null, 7)
                    .arrived("a1", 7)
                    .settled(State.FAILED_RETRYABLE, 7)
                    .granted(State.FAILED_RETRYABLE, 9)
                    .charged("a2", 9)
                    .settled(State.COMPLETED, 9)
                    .answeredCharged("a2")
                    .end(State.COMPLETED, 9));
        }

        @Test
        void an_unknown_outcome_that_a_lookup_found_or_did_not_find_after_the_settle_window() {
            assertValid(unknownAndThen()
                    .reconciled(State.FAILED_RETRYABLE, 7)
                    .granted(State.FAILED_RETRYABLE, 9)
                    .charged("a2", 9)
                    .givenUp(9)
                    .reconciled(State.COMPLETED, 9)
                    .answeredCharged("a2")
                    .end(State.COMPLETED, 9));
        }

        @Test
        void the_late_answer_of_the_attempt_that_was_given_up() {
            assertValid(new Story()
                    .granted(null, 7)
                    .givenUp(7)
                    .charged("a1", 7)
                    .changed("settled", State.UNKNOWN, State.COMPLETED, 7, Story.HOLDER + 7, null)
                    .answeredCharged("a1")
                    .end(State.COMPLETED, 7));
        }

        @Test
        void a_second_charge_for_a_key_whose_retention_had_passed() {
            assertValid(new Story()
                    .granted(null, 7)
                    .charged("a1", 7)
                    .settled(State.COMPLETED, 7)
                    .answeredCharged("a1")
                    .after(Story.RETENTION)
                    .meaning("m2")
                    .granted(State.EXPIRED, 9)
                    .charged("a2", 9)
                    .settled(State.COMPLETED, 9)
                    .answeredCharged("a2")
                    .end(State.COMPLETED, 9));
        }

        @Test
        void a_lease_that_has_just_ended() {
            assertValid(Story.usual().read(Read.SETTLING, State.IN_PROGRESS, 7, Story.SWEEPS));
        }

        @Test
        void a_lease_that_no_sweeper_could_notice_while_the_machine_stood_still() {
            assertValid(Story.usual()
                    .fault(Kind.MACHINE, "all", Duration.ofSeconds(1))
                    .read(Read.SETTLING, State.IN_PROGRESS, 7, Story.SWEEPS.plusMillis(1)));
        }

        @Test
        void a_refused_mismatch() {
            assertValid(Story.usual().meaning("m2").answered(422, "other payload"));
        }

        @Test
        void a_server_error_while_the_store_was_down() {
            assertValid(Story.usual()
                    .fault(Kind.STORE, "all", Duration.ofSeconds(1))
                    .answered(503, "store unavailable"));
        }
    }

    @Nested
    @DisplayName("rejects")
    class Invalid {

        @Test
        void I1_a_second_charge() {
            assertBroken(Story.usual().charged("a2", 7), "I1", "charged 2 times: a1 (fence 7), a2 (fence 7)");
        }

        @Test
        void I1_a_charge_of_an_attempt_that_said_it_had_no_effect() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .charged("a1", 7)
                            .settled(State.FAILED_RETRYABLE, 7)
                            .end(State.FAILED_RETRYABLE, 7),
                    "I1",
                    "on record as not executed");
        }

        @Test
        void I1_an_answer_that_the_ledger_knows_nothing_of() {
            assertBroken(Story.usual().answeredCharged("a99"), "I1", "not in the ledger");
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .arrived("a1", 7)
                            .settled(State.COMPLETED, 7)
                            .answeredCharged("a1")
                            .end(State.COMPLETED, 7),
                    "I1",
                    "no such line");
        }

        @Test
        void I2_a_fence_that_does_not_rise() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .settled(State.FAILED_RETRYABLE, 7)
                            .granted(State.FAILED_RETRYABLE, 7)
                            .settled(State.COMPLETED, 7)
                            .end(State.COMPLETED, 7),
                    "I2",
                    "fence 7 was granted after fence 7");
        }

        @Test
        void I2_a_write_of_a_stale_fence() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .settled(State.FAILED_RETRYABLE, 7)
                            .granted(State.FAILED_RETRYABLE, 9)
                            .settled(State.COMPLETED, 7)
                            .end(State.COMPLETED, 7),
                    "I2",
                    "fence 7 wrote COMPLETED after fence 9");
        }

        @Test
        void I2_the_response_of_one_attempt_on_the_record_of_another() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .declined("a1", 7)
                            .settled(State.FAILED_RETRYABLE, 7)
                            .granted(State.FAILED_RETRYABLE, 9)
                            .settled(State.COMPLETED, 9)
                            .answeredDeclined("a1")
                            .end(State.COMPLETED, 9),
                    "I2",
                    "what fence 7 had done, but the record was completed under [9]");
        }

        @Test
        void I3_two_answers_for_one_key() {
            assertBroken(Story.usual().declined("a2", 7).answeredDeclined("a2"), "I3", "clients got 201");
        }

        @Test
        void I3_an_answer_that_was_cut_off() {
            String whole = new Receipt("a1", "m1", true).text();
            assertBroken(Story.usual().answered(201, whole.substring(0, 20)), "I3", "no whole receipt");
        }

        @Test
        void I3_a_retry_that_no_longer_gets_what_another_has_seen() {
            assertBroken(Story.usual().answered(409, "in progress"), "I3", "after another had seen");
        }

        @Test
        void I4_a_completed_record_that_changes() {
            assertBroken(
                    Story.usual().granted(State.COMPLETED, 9), "I4", "the record went from COMPLETED to IN_PROGRESS");
        }

        @Test
        void I4_a_record_that_expires_early() {
            assertBroken(
                    Story.usual().after(Story.RETENTION.dividedBy(2)).granted(State.EXPIRED, 9),
                    "I4",
                    "its retention is PT1M");
            assertBroken(
                    Story.usual().changed("expired", State.COMPLETED, State.EXPIRED, 7, "pruning", null),
                    "I4",
                    "its retention is PT1M");
        }

        @Test
        void I5_a_grant_because_a_lease_had_expired() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .granted(State.IN_PROGRESS, 9)
                            .settled(State.COMPLETED, 9)
                            .end(State.COMPLETED, 9),
                    "I5",
                    "without evidence about the attempt before it");
        }

        @Test
        void I6_an_unknown_record_that_is_claimed() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .givenUp(7)
                            .granted(State.UNKNOWN, 9)
                            .settled(State.COMPLETED, 9)
                            .end(State.COMPLETED, 9),
                    "I6",
                    "the record went from UNKNOWN to IN_PROGRESS");
        }

        @Test
        void I6_an_unknown_record_that_is_settled_without_evidence() {
            assertBroken(
                    unknownAndThen()
                            .changed("reconciled", State.UNKNOWN, State.COMPLETED, 7, "resolver", null)
                            .end(State.COMPLETED, 7),
                    "I6",
                    "without evidence");
        }

        @Test
        void I6_an_attempt_that_releases_its_own_unknown_record() {
            assertBroken(
                    unknownAndThen()
                            .changed("settled", State.UNKNOWN, State.FAILED_RETRYABLE, 7, Story.HOLDER + 7, null)
                            .end(State.FAILED_RETRYABLE, 7),
                    "I6",
                    "without evidence");
        }

        @Test
        void I6_a_late_answer_of_another_attempt() {
            assertBroken(
                    unknownAndThen()
                            .changed("settled", State.UNKNOWN, State.COMPLETED, 7, "another holder", null)
                            .end(State.COMPLETED, 7),
                    "I6",
                    "without evidence");
        }

        @Test
        void I6_evidence_that_had_no_time_to_form() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .givenUp(7)
                            .after(Story.SETTLE_WINDOW.dividedBy(2))
                            .reconciled(State.FAILED_RETRYABLE, 7)
                            .end(State.FAILED_RETRYABLE, 7),
                    "I6",
                    "its settle window is PT10S");
        }

        @Test
        void I6_evidence_that_turned_out_wrong() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .givenUp(7)
                            .charged("a1", 7)
                            .after(Story.SETTLE_WINDOW)
                            .reconciled(State.FAILED_RETRYABLE, 7)
                            .end(State.FAILED_RETRYABLE, 7),
                    "I6",
                    "the ledger has a1 (fence 7)");
        }

        @Test
        void I7_a_mismatch_that_is_answered() {
            String receipt = new Receipt("a1", "m1", true).text();
            assertBroken(Story.usual().meaning("m2").answered(201, receipt), "I7", "a client asked for m2");
            assertBroken(Story.usual().meaning("m2").answered(422, receipt), "I7", "a mismatch revealed");
        }

        @Test
        void I8_a_server_error_while_nothing_was_broken() {
            assertBroken(Story.usual().answered(500, "too busy"), "I8", "while nothing was broken");
            assertBroken(
                    Story.usual()
                            .fault(Kind.KILL, "app-2", Duration.ofSeconds(1))
                            .answered(503, "store unavailable"),
                    "I8",
                    "while nothing was broken");
        }

        @Test
        void I9_what_belongs_to_another_tenant() {
            Story story = Story.usual().of(Identity.of("globex", "k1"));
            assertBroken(story.answeredCharged("a1"), "I9", "belongs to");
            assertBroken(
                    Story.usual().of(Identity.of("globex", "k1")).answered(422, "other payload"),
                    "I9",
                    "in its scope it never was");
        }

        @Test
        void I11_a_record_that_hangs() {
            assertBroken(
                    Story.usual().read(Read.SETTLING, State.IN_PROGRESS, 7, Story.SWEEPS.plusMillis(1)),
                    "I11",
                    "after its lease had ended");
            assertBroken(new Story().granted(null, 7).end(State.IN_PROGRESS, 7), "I11", "no attempt holds it");
        }

        @Test
        void I12_a_request_whose_claim_was_not_granted() {
            assertBroken(new Story().charged("a1", 0).answeredCharged("a1"), "I12", "no claim had been granted");
        }

        @Test
        void I12_an_audit_that_does_not_end_in_the_table() {
            assertBroken(
                    new Story().granted(null, 7).settled(State.COMPLETED, 7).end(State.UNKNOWN, 7),
                    "I12",
                    "but the table has");
            assertBroken(new Story().granted(null, 7).settled(State.COMPLETED, 7), "I12", "the record is gone");
            assertBroken(new Story().end(State.COMPLETED, 7), "I12", "a record without audit");
        }

        @Test
        void I12_an_audit_with_a_gap() {
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .changed("reconciled", State.UNKNOWN, State.COMPLETED, 7, "resolver", "found")
                            .end(State.COMPLETED, 7),
                    "I12",
                    "starts from UNKNOWN, but the record was IN_PROGRESS");
            assertBroken(
                    new Story()
                            .granted(null, 7)
                            .granted(null, 9)
                            .settled(State.COMPLETED, 9)
                            .end(State.COMPLETED, 9),
                    "I12",
                    "starts from null, but the record was IN_PROGRESS");
        }
    }

    @Test
    void lists_the_whole_history_of_the_key_in_order() {
        Violation violation = violations(Story.usual()
                        .fault(Kind.KILL, "app-1", Duration.ofSeconds(1))
                        .charged("a2", 7)
                        .of(Identity.of("globex", "k2"))
                        .unanswered())
                .get(0);

        assertThat(violation.headline()).startsWith("I1 broken for scope acme key k1: charged 2 times");
        assertThat(violation.history())
                .extracting(line -> line.replaceAll("^(\\w+) +\\S+ (\\S+).*", "$1 $2"))
                .containsExactly(
                        "audit changed",
                        "ledger arrived",
                        "ledger charged",
                        "audit changed",
                        "client asked",
                        "client answered",
                        "client asked",
                        "client answered",
                        "audit read",
                        "fault began",
                        "ledger arrived",
                        "ledger charged");
    }

    @Nested
    @DisplayName("is inconclusive")
    class Inconclusive {

        private void assertInconclusive(Story story, Expectations.Floors floors, String reason) {
            CheckResult verdict = story.check(floors);
            assertThat(verdict).isInstanceOf(CheckResult.Inconclusive.class);
            assertThat(((CheckResult.Inconclusive) verdict).reasons()).anyMatch(each -> each.contains(reason));
        }

        @Test
        void when_nothing_happened() {
            assertInconclusive(new Story(), Expectations.Floors.NONE, "no key was used");
        }

        @Test
        void when_too_little_happened() {
            Expectations.Floors floors = Expectations.Floors.USUAL;
            assertInconclusive(Story.usual(), floors, "faults hit only 0 of 1 keys");
            assertInconclusive(Story.usual(), floors, "late wake-ups: 0");
            assertInconclusive(Story.usual(), floors, "settled as happened: 0");
            assertInconclusive(Story.usual(), floors, "settled as not happened: 0");
            assertInconclusive(new Story().unanswered(), floors, "only 0 of 1 requests");
        }

        @Test
        void when_an_attempt_acted_after_the_settle_window() {
            Story story = unknownAndThen()
                    .reconciled(State.FAILED_RETRYABLE, 7)
                    .granted(State.FAILED_RETRYABLE, 9)
                    .charged("a2", 9)
                    .settled(State.COMPLETED, 9)
                    .charged("a1", 7)
                    .end(State.COMPLETED, 9);
            assertInconclusive(story, Expectations.Floors.NONE, "after it had been given up");
            assertThat(((CheckResult.Inconclusive) story.check()).violations()).isNotEmpty();
        }
    }
}
