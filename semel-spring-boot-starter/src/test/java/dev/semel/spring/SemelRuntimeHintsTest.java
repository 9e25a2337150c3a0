package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

@DisplayName("Hints for native images")
class SemelRuntimeHintsTest {

    @ParameterizedTest
    @CsvSource({"dev/semel/jdbc, **/*.sql", "dev/semel/redis, **/*.lua", "dev/semel/redis, *.txt"})
    void keep_every_statement_and_script_of_the_stores(String directory, String pattern) throws IOException {
        RuntimeHints hints = new RuntimeHints();
        new SemelRuntimeHints().registerHints(hints, null);

        Resource[] files =
                new PathMatchingResourcePatternResolver().getResources("classpath*:" + directory + "/" + pattern);
        assertThat(files).isNotEmpty().allSatisfy(file -> {
            String path = file.getURL().getPath();
            assertThat(RuntimeHintsPredicates.resource().forResource(path.substring(path.indexOf(directory))))
                    .accepts(hints);
        });
    }
}
