package dev.semel.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.torture.history.FaultEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The history checker, of late retries,")
class LateRuleTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final String LATE = "the retention of this key has passed";

    private static Story executed() {
        return new Story().of(Story.LATE_KEY).charged("a1", 7).answeredCharged("a1");
    }

    private static Story timed() {
        return new Story().of(Identity.of(Story.LATE_KEY.scope().value(), TimedKey.of(START, 1)));
    }

    private static void assertValid(Story story) {
        assertThat(story.check()).isInstanceOf(CheckResult.Valid.class);
    }

    private static void assertBroken(Story story, String invariant, String what) {
        assertThat(story.check())
                .isInstanceOfSatisfying(
                        CheckResult.Invalid.class,
                        invalid -> assertThat(invalid.violations()).anySatisfy(violation -> {
                            assertThat(violation.invariant()).isEqualTo(invariant);
                            assertThat(violation.what()).contains(what);
                        }));
    }

    @Test
    void accepts_a_refusal_after_the_retention_although_the_audit_is_gone() {
        Story story = executed().after(Story.RETENTION).answered(412, LATE);

        assertValid(story);
        assertThat(story.check().coverage())
                .extracting(Coverage::lateKeys, Coverage::lateRetries, Coverage::lateRefusals)
                .containsExactly(1, 1, 1);
    }

    @Test
    void accepts_a_replay_for_as_long_as_the_record_is_there() {
        assertValid(executed().after(Story.RETENTION).answeredCharged("a1"));
    }

    @Test
    void accepts_a_refusal_of_a_key_that_was_never_executed() {
        assertValid(timed().unanswered().after(Story.RETENTION).answered(412, LATE));
    }

    @Test
    void accepts_a_refusal_of_a_timed_key_from_its_retention_less_the_tolerance() {
        assertValid(timed().after(Story.RETENTION.multipliedBy(3).dividedBy(4)).answered(412, LATE));
    }

    @Test
    void I1_rejects_a_second_execution_after_the_retention() {
        assertBroken(
                executed().after(Story.RETENTION).charged("a2", 9).answeredCharged("a2"),
                "I1",
                "executed 2 times: a1 (fence 7), a2 (fence 9)");
        assertBroken(
                new Story()
                        .of(Story.LATE_KEY)
                        .declined("a1", 7)
                        .answeredDeclined("a1")
                        .after(Story.RETENTION)
                        .declined("a2", 9),
                "I1",
                "executed 2 times");
    }

    @Test
    void I1_rejects_an_attempt_after_a_refusal() {
        assertBroken(
                timed().after(Story.RETENTION).answered(412, LATE).charged("a1", 7),
                "I1",
                "after a client had been refused as late");
    }

    @Test
    void I3_rejects_an_answer_in_progress_after_the_outcome() {
        assertBroken(executed().after(Story.RETENTION).answered(409, "in progress"), "I3", "409 in progress");
    }

    @Test
    void I4_rejects_a_refusal_before_the_retention_has_passed() {
        assertBroken(executed().answered(412, LATE), "I4", "a client got 412 in time");
        assertBroken(timed().after(Story.RETENTION.dividedBy(2)).answered(412, LATE), "I4", "a client got 412 in time");
        assertBroken(timed().answered(400, "the time of this key has not come yet"), "I4", "a client got 400 in time");
    }

    @Test
    void I4_rejects_a_refusal_of_a_key_that_may_be_used_again() {
        assertBroken(Story.usual().after(Story.RETENTION).answered(412, LATE), "I4", "may be used again");
    }

    @Test
    @DisplayName(
            "is inconclusive when an attempt may have slept through the settle window, before any outcome was seen")
    void doubts() {
        Story slept = new Story()
                .of(Story.LATE_KEY)
                .unanswered()
                .fault(Kind.MACHINE, "all", Duration.ofSeconds(1))
                .charged("a2", 9)
                .charged("a1", 7);
        assertThat(slept.check()).isInstanceOf(CheckResult.Inconclusive.class);
        assertBroken(
                executed()
                        .fault(Kind.MACHINE, "all", Duration.ofSeconds(1))
                        .after(Story.RETENTION)
                        .charged("a2", 9),
                "I1",
                "executed 2 times");
    }

    @Test
    void is_inconclusive_without_a_late_retry() {
        assertThat(executed().check(new Expectations.Floors(0, 0, 0, 0, 0, 1)))
                .isInstanceOfSatisfying(
                        CheckResult.Inconclusive.class,
                        verdict -> assertThat(verdict.reasons())
                                .containsExactly("late retries that were refused: 0, fewer than 1"));
    }
}
