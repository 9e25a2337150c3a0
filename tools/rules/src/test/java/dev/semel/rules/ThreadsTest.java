package dev.semel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An operator who reads a thread dump finds each thread of Semel on one page, by its name. */
@DisplayName("The page of threads")
class ThreadsTest {

    private static final Path PAGE = Reactor.ROOT.resolve("docs/reference/threads.md");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

    /** {@code FileWatch} takes the name of its thread from its callers. */
    private static final Pattern MAKES_THREADS =
            Pattern.compile("new (?:Thread|DefaultThreadFactory|FileWatch)\\(|\\bThread\\.(?:ofVirtual|ofPlatform)");

    private static final Pattern NAME = Pattern.compile("\"(semel-[a-z-]*)");

    @Test
    void lists_the_name_of_every_thread_that_code_makes() throws IOException {
        String page = Files.readString(PAGE);
        List<Path> makers = new ArrayList<>();
        for (Path source : sources()) {
            String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
            if (!MAKES_THREADS.matcher(code).find()) {
                continue;
            }
            makers.add(source);
            if (source.endsWith("FileWatch.java")) {
                continue;
            }
            List<String> names =
                    NAME.matcher(code).results().map(ThreadsTest::name).toList();
            assertThat(names).as(source + " makes threads without a name").isNotEmpty();
            assertThat(names).as(source + ": names that the page lacks").allMatch(page::contains);
        }
        assertThat(makers).hasSizeGreaterThan(15);
    }

    private static String name(MatchResult literal) {
        return "`" + literal.group(1);
    }

    /** What applications and operators run; not the tools and examples. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path module : Reactor.modules()) {
            String name = Reactor.ROOT.relativize(module).toString();
            Path main = module.resolve("src/main/java");
            if (name.startsWith("semel-") && !name.matches("semel-test.*") && Files.isDirectory(main)) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }
}
