package dev.semel.examples.orderflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The code in docs/how-to/domain-tables.md")
class DomainTablesPageTest {

    private static final Pattern SNIPPET = Pattern.compile("```(?:java|sql)\n(.*?)```", Pattern.DOTALL);

    @Test
    void is_the_code_of_this_example() throws IOException {
        List<String> snippets = SNIPPET.matcher(Files.readString(Path.of("../../docs/how-to/domain-tables.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        String source = words(Files.readString(Path.of("src/main/java/dev/semel/examples/orderflow/Orders.java")))
                + words(Files.readString(Path.of("src/main/java/dev/semel/examples/orderflow/OrdersServlet.java")));

        assertThat(snippets).hasSize(4).allSatisfy(snippet -> assertThat(source).contains(words(snippet)));
    }

    /** The text without white space, which the formatter may change. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
