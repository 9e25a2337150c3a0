package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The header Retry-After")
class RetryAfterTest {

    private static final Instant NOW = Instant.parse("1994-11-06T08:49:30Z");

    private static HttpHeaders headers(Map<String, List<String>> headers) {
        return HttpHeaders.of(headers, (name, value) -> true);
    }

    private static HttpHeaders retryAfter(String value) {
        return headers(Map.of("Retry-After", List.of(value)));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "120,120", "007,7", "00000000000000000000000000000000005,5", "999999999,999999999"})
    void may_be_seconds(String value, long seconds) {
        assertThat(RetryAfter.in(retryAfter(value), NOW)).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void may_be_longer_than_any_deadline() {
        assertThat(RetryAfter.in(retryAfter("9".repeat(1000)), NOW).orElseThrow())
                .isGreaterThan(Duration.ofDays(365));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
            })
    void may_be_a_date_in_any_format_of_http(String date) {
        assertThat(RetryAfter.in(retryAfter(date), NOW)).contains(Duration.ofSeconds(7));
    }

    @Test
    void is_relative_to_the_servers_clock_if_there_is_a_date() {
        HttpHeaders headers = headers(Map.of(
                "Retry-After",
                List.of("Sun, 06 Nov 1994 08:49:37 GMT"),
                "Date",
                List.of("Sun, 06 Nov 1994 08:49:35 GMT")));

        assertThat(RetryAfter.in(headers, NOW.plus(Duration.ofHours(1)))).contains(Duration.ofSeconds(2));
    }

    @Test
    void is_zero_once_its_date_has_passed() {
        assertThat(RetryAfter.in(retryAfter("Sun, 06 Nov 1994 08:49:29 GMT"), NOW))
                .contains(Duration.ZERO);
    }

    @Test
    void has_a_year_of_two_digits_that_is_at_most_fifty_years_ahead() {
        Instant now = Instant.parse("2026-11-16T00:00:00Z");

        assertThat(RetryAfter.in(retryAfter("Wednesday, 18-Nov-26 00:00:00 GMT"), now))
                .contains(Duration.ofDays(2));
        assertThat(RetryAfter.in(retryAfter("Friday, 18-Nov-77 00:00:00 GMT"), now))
                .contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "Mon, 06 Nov 1994 08:49:37 GMT", "2026-01-01T00:00:00Z", "+5"})
    void is_ignored_when_it_is_malformed(String value) {
        assertThat(RetryAfter.in(retryAfter(value), NOW)).isEmpty();
    }

    @Test
    void is_optional() {
        assertThat(RetryAfter.in(headers(Map.of()), NOW)).isEmpty();
    }
}
