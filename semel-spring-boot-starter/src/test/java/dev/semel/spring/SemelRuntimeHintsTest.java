package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

@DisplayName("Hints for native images")
class SemelRuntimeHintsTest {

    @Test
    void keep_every_statement_of_the_stores() throws IOException {
        RuntimeHints hints = new RuntimeHints();
        new SemelRuntimeHints().registerHints(hints, null);

        Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath*:dev/semel/jdbc/**/*.sql");
        assertThat(files).isNotEmpty().allSatisfy(file -> {
            String path = file.getURL().getPath();
            assertThat(RuntimeHintsPredicates.resource().forResource(path.substring(path.indexOf("dev/semel/jdbc"))))
                    .accepts(hints);
        });
    }
}
