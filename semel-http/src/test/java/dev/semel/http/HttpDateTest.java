package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A date of HTTP")
class HttpDateTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1994-11-06T08:49:37Z|Sun, 06 Nov 1994 08:49:37 GMT",
                "2024-02-29T23:59:59.999999999Z|Thu, 29 Feb 2024 23:59:59 GMT",
                "1970-01-01T00:00:00Z|Thu, 01 Jan 1970 00:00:00 GMT",
                "9999-12-31T23:59:59Z|Fri, 31 Dec 9999 23:59:59 GMT"
            })
    void is_an_imf_fixdate(Instant moment, String text) {
        assertThat(HttpDate.of(moment)).isEqualTo(text);
    }

    @Test
    void agrees_with_the_formatter_of_the_platform() {
        DateTimeFormatter formatter = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);
        Instant moment = Instant.parse("1999-12-31T23:59:58Z");
        for (int step = 0; step < 2_000; step++) {
            assertThat(HttpDate.of(moment)).isEqualTo(formatter.format(moment));
            moment = moment.plus(Duration.ofSeconds(1_000_003));
        }
    }
}
