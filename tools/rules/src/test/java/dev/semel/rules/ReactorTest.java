package dev.semel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rules see")
class ReactorTest {

    @Test
    void the_classes_of_every_module_that_has_main_code() throws IOException {
        List<Path> modules = Reactor.modules();
        assertThat(modules).hasSizeGreaterThan(10);
        for (Path module : modules) {
            if (Reactor.hasMainCode(module)) {
                assertThat(classesIn(Reactor.classesOf(module)))
                        .as(module + ": compile it first, ./test does")
                        .isPositive();
            }
        }
    }

    private static long classesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class")).count();
        }
    }
}
