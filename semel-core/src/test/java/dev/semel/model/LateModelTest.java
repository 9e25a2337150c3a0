package dev.semel.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The model of late retries")
class LateModelTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("visits every interleaving of pruning, clock steps and late claims, and none executes twice")
    void holds(boolean tombstones) {
        LateModel model = new LateModel(tombstones, Set.of());
        assertThat(model.search()).isEmpty();
        assertThat(model.states()).isGreaterThan(100);
        System.out.println("late retries, " + (tombstones ? "tombstones" : "timed keys") + ": " + model.states()
                + " states, none with a second execution");
    }

    @ParameterizedTest
    @CsvSource({
        "false, NO_MEMORY_OF_DELETIONS",
        "false, NO_CHECK_AFTER_WRITING",
        "false, RETENTION_FROM_THE_CLOCK",
        "false, DELETION_BEFORE_THE_END",
        "true, TOMBSTONE_AFTER_DELETION",
        "true, TOMBSTONES_FROM_BEFORE"
    })
    @DisplayName("finds the second execution that a mistake leads to")
    void finds(boolean tombstones, LateModel.Flaw flaw) {
        List<String> story = new LateModel(tombstones, Set.of(flaw)).search();
        assertThat(story).isNotEmpty();
        System.out.println(flaw + ": " + String.join("; ", story));
    }
}
