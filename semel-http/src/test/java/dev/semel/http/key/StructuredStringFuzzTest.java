package dev.semel.http.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is the grammar of RFC 9651 as regular expressions; it shares nothing with the reader. */
@DisplayName("A String item of RFC 9651")
class StructuredStringFuzzTest {

    private static final int VALUES = 100_000;

    private static final String STRING = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*\"";
    private static final String INTEGER = "-?[0-9]{1,15}";
    private static final String DECIMAL = "-?[0-9]{1,12}\\.[0-9]{1,3}";
    private static final String TOKEN = "[A-Za-z*][-!#$%&'*+.^_`|~:/0-9A-Za-z]*";
    private static final String QUARTET = "[A-Za-z0-9+/]{4}";
    private static final String LAST = "[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?";
    private static final String BYTES = ":(?:" + QUARTET + ")*(?:" + LAST + ")?:";
    private static final String BOOLEAN = "\\?[01]";
    private static final String DATE = "@" + INTEGER;
    private static final String DISPLAY = "%\"(?:[ !#$&-~]|%[0-9a-f]{2})*\"";
    private static final String BARE_ITEM =
            String.join("|", STRING, DECIMAL, INTEGER, TOKEN, BYTES, BOOLEAN, DATE, DISPLAY);
    private static final String PARAMETER = "; *[a-z*][a-z0-9_.*-]*(?:=(?<value>" + BARE_ITEM + "))?";

    private static final Pattern ITEM =
            Pattern.compile(" *(?<string>" + STRING + ")(?<rest>(?:" + PARAMETER.replace("?<value>", "?:") + ")*) *");
    private static final Pattern ONE_PARAMETER = Pattern.compile(PARAMETER);

    /** The text of the String by the grammar, or empty. */
    private static Optional<String> oracle(String value) {
        Matcher item = ITEM.matcher(value);
        if (!item.matches()) {
            return Optional.empty();
        }
        Matcher parameters = ONE_PARAMETER.matcher(item.group("rest"));
        while (parameters.find()) {
            String parameter = parameters.group("value");
            if (parameter != null && parameter.startsWith("%\"") && !isUtf8(parameter)) {
                return Optional.empty();
            }
        }
        String string = item.group("string");
        return Optional.of(string.substring(1, string.length() - 1).replaceAll("\\\\(.)", "$1"));
    }

    private static boolean isUtf8(String display) {
        String octets = Pattern.compile("%([0-9a-f]{2})")
                .matcher(display)
                .replaceAll(
                        match -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 16))));
        byte[] bytes = octets.getBytes(ISO_8859_1);
        return Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 9651, 20261117})
    void is_read_exactly_as_the_grammar_says(long seed) {
        Generator generator = new Generator(new Random(seed));
        int wellFormed = 0;
        for (int i = 0; i < VALUES; i++) {
            String value = generator.value();
            Optional<String> expected = oracle(value);
            assertThat(StructuredString.parse(value)).as(value).isEqualTo(expected);
            wellFormed += expected.isPresent() ? 1 : 0;
        }
        // The generator makes enough of both kinds.
        assertThat(wellFormed).isBetween(VALUES / 5, VALUES * 4 / 5);
    }

    @Test
    void with_a_malformed_byte_sequence_in_an_ignored_parameter_is_refused() {
        assertThat(StructuredString.parse("\"k\";x=:=aGVsbG8=:")).isEmpty();
    }

    @ParameterizedTest(name = ":{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    ''          | true
                    aGVsbG8=    | true
                    aGVsbG8     | true
                    aGk=        | true
                    aA==        | true
                    aA          | true
                    iZ==        | true
                    AZaz09+/    | true
                    =aGVsbG8=   | false
                    a=GVsbG8=   | false
                    aGVsbG8==   | false
                    aGVsbG8===  | false
                    aA=         | false
                    aA===       | false
                    AZaz09+/=   | false
                    AZaz09+/==== | false
                    a           | false
                    a===        | false
                    =           | false
                    ====        | false
                    aGVsb G8=   | false
                    _-Ah        | false
                    aGVsbG8.    | false
                    aGVs\u00e9bG8= | false
                    """)
    void has_byte_sequences_of_base64_in_its_parameters(String base64, boolean wellFormed) {
        String value = "\"k\";x=:" + base64 + ":";

        assertThat(oracle(value).isPresent()).isEqualTo(wellFormed);
        assertThat(StructuredString.parse(value).isPresent()).isEqualTo(wellFormed);
    }

    /** Items by the grammar, of which about every second is then damaged in one place or two. */
    private static final class Generator {

        private static final String HOSTILE = "\"\\;=:@?%*-.,()[]{}` \t\u0000\u007f\u00e9aAfFgZ0159+/_~!";
        private static final String BASE64 = "ABYZabyz0189+/";

        private final Random random;

        Generator(Random random) {
            this.random = random;
        }

        String value() {
            StringBuilder value = new StringBuilder(" ".repeat(random.nextInt(2))).append(string());
            for (int i = random.nextInt(4); i > 0; i--) {
                value.append(';').append(" ".repeat(random.nextInt(2))).append(name());
                if (random.nextInt(5) > 0) {
                    value.append('=').append(bareItem());
                }
            }
            value.append(" ".repeat(random.nextInt(2)));
            for (int i = random.nextInt(4) - 1; i > 0; i--) {
                damage(value);
            }
            return value.toString();
        }

        private void damage(StringBuilder value) {
            int at = random.nextInt(value.length());
            switch (random.nextInt(4)) {
                case 0 -> value.deleteCharAt(at);
                case 1 -> value.setCharAt(at, hostile());
                case 2 -> value.insert(at, hostile());
                default -> value.insert(at, value.charAt(at));
            }
            if (value.isEmpty()) {
                value.append(hostile());
            }
        }

        private char hostile() {
            return HOSTILE.charAt(random.nextInt(HOSTILE.length()));
        }

        private String bareItem() {
            return switch (random.nextInt(9)) {
                case 0 -> string();
                case 1 -> number(17);
                case 2 -> number(14) + "." + digits(5);
                case 3 -> token();
                case 4, 5 -> ":" + base64() + ":";
                case 6 -> "?" + random.nextInt(3);
                case 7 -> "@" + number(17);
                default -> display();
            };
        }

        private String string() {
            StringBuilder text = new StringBuilder("\"");
            for (int i = random.nextInt(6); i > 0; i--) {
                char c = (char) (0x20 + random.nextInt(0x5F));
                text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
            return text.append('"').toString();
        }

        private String name() {
            return oneOf("abz*") + letters("az09_-.*", 3);
        }

        private String token() {
            return oneOf("azAZ*") + letters("azAZ09!#$%&'*+-.^_`|~:/", 4);
        }

        private String number(int most) {
            return (random.nextBoolean() ? "-" : "") + digits(most);
        }

        private String digits(int most) {
            return letters("0123456789", most - 1) + random.nextInt(10);
        }

        private String base64() {
            String digits = letters(BASE64, 9);
            return digits + "=".repeat(random.nextInt(3) == 0 ? random.nextInt(4) : (4 - digits.length() % 4) % 4);
        }

        private String display() {
            List<String> pieces = new ArrayList<>(List.of("a", " ", "~", "%25", "%c3%bc", "%e2%82%ac", "%f0%9f%98%80"));
            if (random.nextInt(4) == 0) {
                pieces.addAll(List.of("%c3", "%ed%a0%80", "%C3%BC", "%c0%af", "%"));
            }
            StringBuilder text = new StringBuilder("%\"");
            for (int i = random.nextInt(4); i > 0; i--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            return text.append('"').toString();
        }

        private String letters(String alphabet, int most) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(most + 1); i > 0; i--) {
                text.append(oneOf(alphabet));
            }
            return text.toString();
        }

        private char oneOf(String alphabet) {
            return alphabet.charAt(random.nextInt(alphabet.length()));
        }
    }
}
