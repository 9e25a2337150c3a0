package dev.semel.examples.orderflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The code in docs/messaging.md about tables that can be asked twice")
class MessagingPageTest {

    private static final Pattern SECTION =
            Pattern.compile("\n## Tables that can be asked twice\n(.*?)(?=\n## |$)", Pattern.DOTALL);
    private static final Pattern SNIPPET = Pattern.compile("```(?:java|sql)\n(.*?)```", Pattern.DOTALL);

    @Test
    void is_the_code_of_this_example() throws IOException {
        Matcher section = SECTION.matcher(Files.readString(Path.of("../../docs/messaging.md")));
        assertThat(section.find()).isTrue();
        List<String> snippets = SNIPPET.matcher(section.group(1))
                .results()
                .map(found -> found.group(1))
                .toList();
        String source = words(Files.readString(Path.of("src/main/java/dev/semel/examples/orderflow/Orders.java")))
                + words(Files.readString(Path.of("src/main/java/dev/semel/examples/orderflow/OrdersServlet.java")));

        assertThat(snippets).hasSize(4).allSatisfy(snippet -> assertThat(source).contains(words(snippet)));
    }

    /** The text without white space, which the formatter may place otherwise. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
