package dev.semel.spring.slice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The code in docs/how-to/test-replays.md")
class TestReplaysPageTest {

    private static final Path PAGE = Path.of("..", "docs", "how-to", "test-replays.md");
    private static final Path SOURCE =
            Path.of("../semel-spring-boot-starter/src/test/java/dev/semel/spring/slice/ReplayedOrders.java");

    /** Without white space, which the formatter may change. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void is_that_of_the_tests_beside_this_one() throws IOException {
        List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(blocks).hasSize(3);
        assertThat(blocks.get(0)).contains("@SpringBootTest", "semel.store=memory:", "@AutoConfigureMockMvc");
        assertThat(blocks.get(1)).contains("@WebMvcTest(Orders.class)", "@AutoConfigureSemelTest");
        String source = words(Files.readString(SOURCE));
        assertThat(blocks.get(2).split("\n\n    private "))
                .allSatisfy(method -> assertThat(source).contains(words(method)));
    }
}
