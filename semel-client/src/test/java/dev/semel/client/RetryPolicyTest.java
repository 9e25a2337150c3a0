package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The pauses of a client")
class RetryPolicyTest {

    private static final RetryPolicy POLICY =
            RetryPolicy.DEFAULT.firstDelay(Duration.ofMillis(100)).longestDelay(Duration.ofSeconds(5));

    /** Always returns the greatest number. */
    private static final RandomGenerator GREATEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return -1;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    @ParameterizedTest
    @CsvSource({"1,100", "2,200", "3,400", "6,3200", "7,5000", "8,5000", "1000000,5000"})
    void are_limited_by_a_delay_that_doubles_up_to_the_longest(int attempts, long millis) {
        assertThat(POLICY.pauseAfter(attempts, GREATEST)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void are_from_zero_to_the_whole_delay() {
        RandomGenerator random = new SplittableRandom(1);
        double[] parts = IntStream.range(0, 10_000)
                .mapToDouble(i -> POLICY.pauseAfter(4, random).toNanos() / 800e6)
                .toArray();

        assertThat(Arrays.stream(parts)).allMatch(part -> part >= 0 && part <= 1);
        assertThat(IntStream.range(0, 10)
                        .mapToLong(tenth -> Arrays.stream(parts)
                                .filter(part -> part >= tenth / 10.0 && part < (tenth + 1) / 10.0)
                                .count()))
                .allMatch(count -> count > 800);
    }

    @Test
    void are_as_long_as_retry_after_plus_a_part_of_the_first_delay() {
        assertThat(POLICY.pauseOf(Duration.ofSeconds(3), GREATEST)).isEqualTo(Duration.ofMillis(3100));
    }

    @Test
    void fit_into_nanoseconds_with_any_setting() {
        RetryPolicy longest =
                RetryPolicy.DEFAULT.firstDelay(Duration.ofDays(365)).longestDelay(Duration.ofDays(365));

        assertThat(longest.pauseAfter(1_000, GREATEST)).isEqualTo(Duration.ofDays(365));
    }

    @Test
    void refuse_invalid_settings() {
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.deadline(Duration.ZERO)).hasMessageContaining("deadline");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.firstDelay(Duration.ofMillis(-1)))
                .hasMessageContaining("first delay");
        assertThatThrownBy(() -> RetryPolicy.DEFAULT.longestDelay(Duration.ofDays(366)))
                .hasMessageContaining("longest delay");
        assertThatThrownBy(() -> builder(RetryPolicy.DEFAULT.firstDelay(Duration.ofMinutes(1))))
                .hasMessageContaining("longer than the longest");
        assertThatThrownBy(() -> builder(RetryPolicy.DEFAULT.deadline(Duration.ofDays(1))))
                .hasMessageContaining("is not shorter than the key lifetime");
    }

    private static IdempotentClient builder(RetryPolicy policy) {
        return IdempotentClient.over(HttpClient.newHttpClient())
                .retrying(policy)
                .build();
    }
}
