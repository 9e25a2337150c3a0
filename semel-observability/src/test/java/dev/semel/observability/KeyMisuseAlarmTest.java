package dev.semel.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Identity;
import dev.semel.Refusal;
import dev.semel.Scope;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the alarm for misused keys")
class KeyMisuseAlarmTest extends Fixture {

    private static final Duration WINDOW = Duration.ofMinutes(5);

    private final List<KeyMisuse> calls = new ArrayList<>();
    private final KeyMisuseAlarm alarm = KeyMisuseAlarm.above(3)
            .within(WINDOW)
            .nanos(time::nanos)
            .maxScopes(100)
            .calling(calls::add);

    private void misuse(KeyMisuseAlarm listener, String scope, int times) {
        for (int i = 0; i < times; i++) {
            listener.on(new Event.RefusedMismatch("charge", Identity.of(scope, "k" + i), Duration.ZERO));
        }
    }

    @Test
    void is_raised_for_mismatches_above_the_threshold() {
        SemelEngine semel = SemelEngine.on(store).timer(time).listener(alarm).build();
        semel.execute(intent(CHARGE, "mallory", "k", "100 EUR"), Codec.text(), attempt -> "charged");
        for (int i = 0; i < 3; i++) {
            assertThat(semel.begin(misuse("mallory"))).extracting("why").isInstanceOf(Refusal.Mismatch.class);
        }
        assertThat(calls).isEmpty();
        semel.begin(misuse("mallory"));
        assertThat(calls).containsExactly(new KeyMisuse(Scope.of("mallory"), "charge", 4));
    }

    @Test
    void is_raised_once_in_a_window_with_the_count_since_the_last() {
        misuse(alarm, "mallory", 10);
        assertThat(calls).hasSize(1);
        time.advance(WINDOW.minusNanos(1));
        misuse(alarm, "mallory", 100);
        assertThat(calls).hasSize(1);
        time.advance(Duration.ofNanos(1));
        misuse(alarm, "mallory", 1);
        assertThat(calls).hasSize(2);
        assertThat(calls.get(1).count()).isEqualTo(6 + 100 + 1);
    }

    @Test
    void has_a_sliding_window() {
        misuse(alarm, "mallory", 1);
        time.advance(WINDOW.minusSeconds(1));
        misuse(alarm, "mallory", 2);
        time.advance(Duration.ofSeconds(2));
        misuse(alarm, "mallory", 1);
        assertThat(calls).as("three within any five minutes").isEmpty();
        misuse(alarm, "mallory", 1);
        assertThat(calls).hasSize(1);
    }

    @Test
    void old_mismatches_do_not_count() {
        for (int i = 0; i < 20; i++) {
            misuse(alarm, "clumsy", 3);
            time.advance(WINDOW);
        }
        assertThat(calls).isEmpty();
        misuse(alarm, "clumsy", 4);
        assertThat(calls).containsExactly(new KeyMisuse(Scope.of("clumsy"), "charge", 4));
    }

    @Test
    void scopes_are_counted_separately() {
        for (int i = 0; i < 50; i++) {
            misuse(alarm, "tenant" + i, 3);
        }
        assertThat(calls).isEmpty();
    }

    @Test
    void tracks_a_limited_number_of_scopes_the_most_recent_ones() {
        misuse(alarm, "mallory", 3);
        for (int i = 0; i < 99; i++) {
            misuse(alarm, "crowd" + i, 1);
        }
        misuse(alarm, "mallory", 1);
        assertThat(calls).hasSize(1);
        for (int i = 0; i < 100_000; i++) {
            misuse(alarm, "flood" + i, 1);
        }
        misuse(alarm, "crowd0", 3);
        assertThat(calls)
                .as("the first mismatch of crowd0 was dropped for newer scopes")
                .hasSize(1);
    }

    @Test
    void a_threshold_of_zero_raises_it_for_the_first_mismatch() {
        KeyMisuseAlarm strict =
                KeyMisuseAlarm.above(0).within(WINDOW).nanos(time::nanos).calling(calls::add);
        misuse(strict, "mallory", 5);
        assertThat(calls).hasSize(1);
        time.advance(WINDOW);
        misuse(strict, "mallory", 1);
        assertThat(calls).hasSize(2);
    }

    @Test
    @DisplayName("a hook that fails breaks no request")
    void failing_hook() {
        SemelEngine semel = SemelEngine.on(store)
                .timer(time)
                .listener(KeyMisuseAlarm.above(0).calling(misuse -> {
                    throw new IllegalStateException("pager is down");
                }))
                .build();
        semel.execute(intent(CHARGE, "mallory", "k", "100 EUR"), Codec.text(), attempt -> "charged");
        assertThat(semel.begin(misuse("mallory"))).extracting("why").isInstanceOf(Refusal.Mismatch.class);
    }

    @Test
    void refuses_invalid_settings() {
        assertThatThrownBy(() -> KeyMisuseAlarm.above(-1)).hasMessageContaining("between 0 and 1000");
        assertThatThrownBy(() -> KeyMisuseAlarm.above(1001)).hasMessageContaining("between 0 and 1000");
        assertThatThrownBy(() -> KeyMisuseAlarm.above(1).within(Duration.ZERO)).hasMessageContaining("positive");
        assertThatThrownBy(() -> KeyMisuseAlarm.above(1).maxScopes(0)).hasMessageContaining("at least 1");
    }
}
