package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The state machine, in every order of events")
class ModelTest {

    /** Says what was explored: the result of this test is more than that it passed. */
    private static Exploration explore(Setup setup) {
        Exploration exploration = Explorer.explore(new SemelModel(setup));
        System.out.println(setup + ": " + exploration);
        return exploration;
    }

    @Test
    void with_3_workers_2_reconcilers_and_3_crashes_every_rule_holds() {
        Exploration exploration = explore(Setup.AS_BUILT);

        assertThat(exploration.violation()).isNull();
        assertThat(exploration.states()).as("a model that has become trivial").isGreaterThan(100_000);
    }

    @Test
    void a_reexecutable_operation_has_one_effect_when_the_provider_recognizes_its_key() {
        Exploration exploration = explore(Setup.AS_BUILT.asReexecutable(true).withOneReconciler());

        assertThat(exploration.violation()).isNull();
        assertThat(exploration.states()).as("a model that has become trivial").isGreaterThan(100_000);
    }

    @Test
    void a_reexecutable_operation_has_two_effects_when_the_provider_does_not_recognize_its_key() {
        assertDuplicate(explore(Setup.AS_BUILT.asReexecutable(false)), "worker 2 claims: granted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    NO_SETTLE_WINDOW           | reconciler 1 settles: it did not happen
                    WINDOW_JUDGED_AFTER_ASKING | reconciler 1 settles: it did not happen
                    TAKEOVER_ON_EXPIRY         | worker 2 claims: granted
                    UNFENCED_RELEASE           | worker 1 hears that it was refused, and releases the key
                    UNFENCED_VERDICT           | reconciler 1 settles: it did not happen
                    UNFENCED_WEBHOOK           | a webhook says that an earlier attempt was refused
                    RELEASE_AFTER_FAILED_WRITE | worker 1 hears that it happened, cannot record it, and releases the key
                    SWEEPER_RELEASES           | the sweeper notices the expired lease
                    UNKNOWN_IS_FORGOTTEN       | pruning deletes the record
                    """)
    void finds_the_duplicate_that_a_mistake_leads_to(Flaw mistake, String decisiveMove) {
        assertDuplicate(explore(Setup.AS_BUILT.flawedBy(mistake).lookingFor(Rule.I1)), decisiveMove);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    REQUEST_OUTLASTS_WINDOW | the settle window passes
                    PAUSE_OUTLASTS_WINDOW   | worker 1 wakes up without its lease, and sends its request
                    """)
    void finds_the_duplicate_when_an_assumption_is_dropped(Flaw assumption, String decisiveMove) {
        assertDuplicate(explore(Setup.AS_BUILT.flawedBy(assumption)), decisiveMove);
    }

    private static void assertDuplicate(Exploration exploration, String decisiveMove) {
        Exploration.Violation found = exploration.violation();
        assertThat(found).isNotNull();
        assertThat(found.rule()).isEqualTo(Rule.I1.toString());
        assertThat(found.trace()).anySatisfy(line -> assertThat(line).startsWith(decisiveMove + " "));
        assertThat(found.trace().get(found.trace().size() - 1)).contains("arrives: executed", "2 effects");
    }

    @ParameterizedTest
    @CsvSource({
        "UNFENCED_COMPLETION, I2",
        "UNFENCED_RELEASE,    I2",
        "UNFENCED_VERDICT,    I2",
        "UNFENCED_WEBHOOK,    I2",
        "TAKEOVER_ON_EXPIRY,  I5",
        "SWEEPER_RELEASES,    I5",
    })
    void names_the_rule_that_a_mistake_breaks_first(Flaw mistake, Rule broken) {
        Exploration exploration = explore(Setup.AS_BUILT.flawedBy(mistake));

        assertThat(exploration.violation()).isNotNull();
        assertThat(exploration.violation().rule()).isEqualTo(broken.toString());
    }

    @Test
    void a_completion_without_its_fence_records_what_did_not_happen() {
        Exploration exploration =
                explore(Setup.AS_BUILT.flawedBy(Flaw.UNFENCED_COMPLETION).lookingFor(Rule.NO_FALSE_COMPLETION));

        assertThat(exploration.violation()).isNotNull();
        assertThat(exploration.violation().trace())
                .last()
                .asString()
                .startsWith("worker 1 hears that it happened, and records the answer");
    }

    @Test
    void dead_letters_without_an_operator_may_stay_unknown_for_ever() {
        Exploration exploration =
                explore(Setup.AS_BUILT.flawedBy(Flaw.DEAD_LETTERS_ARE_LEFT).withOneReconciler());

        assertThat(exploration.violation()).isNotNull();
        assertThat(exploration.violation().rule()).isEqualTo("I11: a settled state cannot be reached any more");
    }
}
