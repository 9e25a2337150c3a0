package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testkit.history.Finding;
import dev.semel.testkit.history.Verdict;
import dev.semel.torture.bugs.Bug;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The checker, on simulated runs")
class PlantedBugsTest {

    private static final Duration LENGTH = Duration.ofSeconds(40);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void finds_nothing_when_nothing_is_wrong(long seed) {
        Verdict verdict = Simulation.run(seed, LENGTH, null);

        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(Verdict.Valid.class);
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void finds_every_planted_bug_and_names_the_broken_invariant(Bug bug) {
        Verdict verdict = Simulation.run(1, LENGTH, bug);

        assertThat(verdict).as(() -> Report.of(verdict)).isInstanceOf(Verdict.Invalid.class);
        assertThat(((Verdict.Invalid) verdict).findings())
                .extracting(Finding::invariant)
                .contains(bug.invariant());
    }
}
