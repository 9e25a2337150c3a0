package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.bugs.Bug;
import dev.semel.torture.history.CheckResult;
import dev.semel.torture.history.Violation;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The history checker on simulated runs")
class PlantedBugsTest {

    private static final Duration LENGTH = Duration.ofSeconds(40);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void finds_nothing_when_nothing_is_wrong(long seed) {
        CheckResult verdict = Simulation.run(seed, LENGTH, Emphasis.USUAL);

        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(CheckResult.Valid.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Emphasis.class,
            names = {"LATE_BY_TIME", "LATE_BY_TOMBSTONE"})
    void finds_nothing_when_late_retries_are_refused(Emphasis emphasis) {
        for (long seed = 1; seed <= 3; seed++) {
            CheckResult verdict = Simulation.run(seed, LENGTH, emphasis);

            assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(CheckResult.Valid.class);
            assertThat(verdict.coverage().lateRetries()).isGreaterThan(100);
        }
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void finds_every_planted_bug_and_names_the_broken_invariant(Bug bug) {
        CheckResult verdict = Simulation.run(1, LENGTH, bug);

        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(CheckResult.Invalid.class);
        assertThat(((CheckResult.Invalid) verdict).violations())
                .extracting(Violation::invariant)
                .contains(bug.invariant());
    }
}
