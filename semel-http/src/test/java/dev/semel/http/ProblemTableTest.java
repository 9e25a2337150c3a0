package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of problems in docs/reference/http.md")
class ProblemTableTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "http.md");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| `([a-z_]+)` \\| (\\d{3}) \\| (yes|no) \\| (yes|no) \\| `([a-z_]+)` \\| \\S.* \\|$");

    private record Row(int status, boolean retryable, boolean safeNewKey, ProblemCode.Next next) {}

    @Test
    void says_of_every_code_what_the_code_says_with_a_reason() throws IOException {
        Map<ProblemCode, Row> documented = new EnumMap<>(ProblemCode.class);
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            documented.put(
                    constant(ProblemCode.class, row.group(1)),
                    new Row(
                            Integer.parseInt(row.group(2)),
                            row.group(3).equals("yes"),
                            row.group(4).equals("yes"),
                            constant(ProblemCode.Next.class, row.group(5))));
        }
        Map<ProblemCode, Row> real = new EnumMap<>(ProblemCode.class);
        for (ProblemCode code : ProblemCode.values()) {
            real.put(code, new Row(code.status(), code.retryable(), code.safeNewKey(), code.next()));
        }
        assertThat(documented).isEqualTo(real);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(java.util.Locale.ROOT));
    }

    @Test
    void lets_no_code_offer_a_new_key_that_may_have_been_executed() {
        assertThat(ProblemCode.values())
                .filteredOn(ProblemCode::safeNewKey)
                .as("a retry with another key is safe only where no request with a key can have been executed")
                .containsExactly(ProblemCode.IDEMPOTENCY_KEY_MISSING);
    }
}
