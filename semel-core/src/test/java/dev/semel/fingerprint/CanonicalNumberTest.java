package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A canonical number")
class CanonicalNumberTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 -0 0.0 -0.0 0e0 0E+5 -0e-7 0.000e999999999 0e-99999999999999999999",
                "1 1.0 1.00 1e0 1E0 1e+0 1e-0 10e-1 0.1e1 0.00001e5 1e00000000000000000000000000000000",
                "100 1e2 1E+2 100.0 0.1e3 10000e-2",
                "-1.5 -15e-1 -1.50 -0.15e1",
                "0.1 1e-1 0.10 10e-2",
                "1e21 1000000000000000000000 1000000000000000000000.0 0.1e22",
                "1e400 10e399 0.1e401 1E+400",
                "1e-400 0.1e-399 10e-401",
                "9007199254740993 9007199254740993.0 9007199254740.993e3",
                "1e99999999999999999999 10e99999999999999999998 0.1e100000000000000000000",
                "123456789012345678901234567890 1.2345678901234567890123456789e29 12345678901234567890123456789e1"
            })
    void is_the_same_for_every_spelling_of_one_value(String spellings) {
        Set<String> canonical = new HashSet<>();
        for (String spelling : spellings.split(" ")) {
            canonical.add(canonical(spelling));
        }

        assertThat(canonical).hasSize(1);
    }

    @Test
    void differs_for_values_that_a_double_cannot_tell_apart() {
        List<String> values = List.of(
                "9007199254740992",
                "9007199254740993",
                "0.1",
                "0.1000000000000000055511151231257827",
                "0.10000000000000001",
                "1e400",
                "1e401",
                "-1e400",
                "1e-400",
                "1e-401",
                "0",
                "5e-324",
                "4.9406564584124654e-324",
                "1.00000000000000000000000000000000001",
                "1",
                "12345678901234567890.01",
                "12345678901234567890.02",
                "1e999999999",
                "1e9999999999",
                "1e99999999999999999999");

        assertThat(values.stream().map(CanonicalNumberTest::canonical).distinct())
                .hasSize(values.size());
    }

    /** The shortest spellings of doubles, as ECMAScript prints them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "5e-324",
                "-5e-324",
                "1.7976931348623157e+308",
                "-1.7976931348623157e+308",
                "9007199254740992",
                "-9007199254740992",
                "295147905179352830000",
                "9.999999999999997e+22",
                "1e+23",
                "1.0000000000000001e+23",
                "999999999999999700000",
                "999999999999999900000",
                "1e+21",
                "100000000000000000000",
                "9.999999999999997e-7",
                "0.000001",
                "1e-7",
                "333333333.3333332",
                "333333333.33333325",
                "333333333.3333334",
                "-0.0000033333333333333333",
                "1424953923781206.2",
                "0.5",
                "123.456"
            })
    void is_what_ecmascript_prints(String printed) {
        assertThat(canonical(printed)).isEqualTo(printed);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "1000000000000000000000, 1e+21",
        "123456789012345678901, 123456789012345678901",
        "1234567890123456789012, 1.234567890123456789012e+21",
        "-1234567890123456789012, -1.234567890123456789012e+21",
        "-123456789012345678901, -123456789012345678901",
        "0.0000001, 1e-7",
        "0.00000123, 0.00000123",
        "0.000000123, 1.23e-7",
        "1E400, 1e+400",
        "9007199254740993, 9007199254740993",
        "0.1000000000000000055511151231257827, 0.1000000000000000055511151231257827",
        "1e999999999, 1e+999999999",
        "-12.5e-99999999999999999999, -1.25e-99999999999999999998"
    })
    void is_laid_out_by_the_rules_of_ecmascript_also_beyond_doubles(String text, String canonical) {
        assertThat(canonical(text)).isEqualTo(canonical);
    }

    @Test
    void agrees_with_exact_decimal_comparison_on_random_pairs() {
        long seed = 20260917;
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            String a = randomNumber(random);
            String b = randomNumber(random);
            boolean equal = new BigDecimal(a).compareTo(new BigDecimal(b)) == 0;
            assertThat(canonical(a).equals(canonical(b)))
                    .as("%s and %s, seed %d", a, b, seed)
                    .isEqualTo(equal);
            assertThat(new BigDecimal(canonical(a))).as("%s, seed %d", a, seed).isEqualByComparingTo(new BigDecimal(a));
        }
    }

    /** Few digits and few exponents, so that equal values of different spelling are frequent. */
    private static String randomNumber(Random random) {
        StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "-" : "");
        text.append(random.nextInt(3) == 0 ? "0" : "1" + "0".repeat(random.nextInt(4)));
        if (random.nextBoolean()) {
            text.append('.')
                    .append("0".repeat(random.nextInt(4)))
                    .append(random.nextInt(2))
                    .append("0".repeat(random.nextInt(3)));
        }
        if (random.nextBoolean()) {
            text.append(random.nextBoolean() ? "e" : "E").append(random.nextInt(60) - 30);
        }
        return text.toString();
    }

    private static String canonical(String number) {
        Canonical result = CanonicalJson.standard().of(number.getBytes(UTF_8));
        assertThat(result).as(number).isInstanceOf(Canonical.Json.class);
        return new String(((Canonical.Json) result).bytes(), UTF_8);
    }
}
