package dev.semel.server.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Level;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.zoo.Defect;
import dev.semel.server.check.zoo.ZooServer;
import dev.semel.server.check.zoo.ZooServer.Style;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The checker")
class ZooTest {

    /** Defects that show only when requests meet; the execution must take long enough for that. */
    private static final Set<Defect> OF_TIME = EnumSet.of(
            Defect.CHECK_THEN_ACT,
            Defect.EXECUTES_DUPLICATES_IN_FLIGHT,
            Defect.LEASE_SHORTER_THAN_EXECUTION,
            Defect.FREES_KEY_ON_DISCONNECT,
            Defect.ANSWERS_500_IN_FLIGHT,
            Defect.EMPTY_RESULT_IN_FLIGHT,
            Defect.QUEUES_A_DUPLICATE_IN_FLIGHT,
            Defect.WAITS_WITHOUT_FINGERPRINT,
            Defect.NO_RETRY_AFTER);

    /** More than one for {@code docs/how-to/check.md}, which has 200. */
    private static final int REPEATS = Integer.getInteger("check.repeats", 1);

    private static final String AFTER = "{\"order\":\"{{uuid}}\",\"amount\":100,\"fail\":\"after\"}";
    private static final String BEFORE = "{\"order\":\"{{uuid}}\",\"amount\":100,\"fail\":\"before\"}";

    @ParameterizedTest
    @EnumSource(Defect.class)
    @DisplayName("finds each defect by the rules that should, and by no other")
    void finds_each_defect_by_the_rules_that_should(Defect defect) {
        Duration work = OF_TIME.contains(defect) ? Duration.ofMillis(30) : Duration.ofMillis(1);
        try (ZooServer server = new ZooServer(Style.DRAFT, defect, work)) {
            String failing = defect == Defect.REPLAYS_500_WITHOUT_EFFECT ? BEFORE : AFTER;

            TargetResult result = ZooRun.of(server, settingsFor(defect), failing, true);

            assertThat(result.obstacle()).isNull();
            Set<String> allowed = new HashSet<>(defect.found());
            allowed.addAll(defect.maybe());
            assertThat(ZooRun.broken(result))
                    .as(result.broken().toString())
                    .containsAll(defect.found())
                    .isSubsetOf(allowed);
        }
    }

    private static CheckSettings settingsFor(Defect defect) {
        return switch (defect) {
            case FORGETS_BEFORE_RETENTION -> ZooRun.QUICK.withRetention(Duration.ofMillis(400));
            case LOCKED_AFTER_RETENTION -> ZooRun.QUICK.withRetention(Duration.ofMillis(300));
            case LOCKED_AFTER_FAILED_VALIDATION ->
                ZooRun.QUICK.withWaits(
                        new CheckSettings.Waits(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500)));
            case EXECUTES_WITHOUT_REQUIRED_KEY ->
                new CheckSettings(
                        CheckSettings.DEFAULT_HEADER,
                        null,
                        ZooRun.QUICK.account(),
                        8,
                        true,
                        null,
                        ZooRun.QUICK.waits(),
                        42);
            default -> ZooRun.QUICK;
        };
    }

    @Test
    @DisplayName("has a defect in the zoo for every rule that can be broken")
    void every_rule_finds_a_defect() {
        Set<String> found = new HashSet<>();
        for (Defect defect : Defect.values()) {
            found.addAll(defect.found());
        }
        assertThat(Rules.all())
                .extracting(rule -> rule.info().id())
                .filteredOn(id -> !found.contains(id))
                .containsExactlyInAnyOrder("key-quoted-and-bare", "retention-stated");
    }

    @ParameterizedTest
    @CsvSource({"DRAFT,true", "DRAFT,false", "EXPIRING,true", "STRIPE,true", "STRIPE,false"})
    @DisplayName("has no false alarm of a correct server")
    void has_no_false_alarm(Style style, boolean counted) {
        for (int run = 0; run < 2 * REPEATS; run++) {
            String failing = List.of(AFTER, BEFORE).get(run % 2);
            try (ZooServer server = new ZooServer(style, null, Duration.ofMillis(2))) {
                TargetResult result = ZooRun.of(server, ZooRun.QUICK, failing, counted);

                assertThat(result.obstacle()).isNull();
                assertThat(result.broken()).isEmpty();
                if (style == Style.EXPIRING) {
                    assertThat(outcome(result, "retention-stated")).isInstanceOf(Outcome.Holds.class);
                    assertThat(outcome(result, "kept-for-retention")).isInstanceOf(Outcome.Holds.class);
                    assertThat(outcome(result, "late-retry").detail()).isEqualTo("it is not executed, and gets 412");
                }
                if (counted) {
                    assertThat(result.results())
                            .filteredOn(each -> each.rule().level() == Level.MUST)
                            .noneMatch(each -> each.outcome() instanceof Outcome.CouldNotTell);
                }
            }
        }
    }

    private static Outcome outcome(TargetResult result, String rule) {
        return result.results().stream()
                .filter(each -> each.rule().id().equals(rule))
                .findFirst()
                .orElseThrow()
                .outcome();
    }
}
