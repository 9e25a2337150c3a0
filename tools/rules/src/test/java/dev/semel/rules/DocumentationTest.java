package dev.semel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The documentation")
class DocumentationTest {

    private static final Path ROOT = Reactor.ROOT;

    /** One screen and a half: a longer glossary is a second manual. */
    private static final int LONGEST_GLOSSARY_LINES = 60;

    /** A reader decides within five minutes; what does not fit stands in docs/README.md. */
    private static final int LONGEST_README_WORDS = 920;

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");
    private static final Pattern HAS_SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern SOURCE = Pattern.compile(".*/src/.*\\.(?:java|yaml|txt)|.*/CONTRIBUTING\\.md");
    private static final Pattern PATH_IN_SOURCES = Pattern.compile("docs/[a-z0-9/-]+\\.(?:md|json|yml)");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");

    @Test
    @DisplayName("has only links to files and headings that exist")
    void has_only_links_to_files_and_headings_that_exist() throws IOException {
        List<Path> pages = pages();
        assertThat(pages).hasSizeGreaterThan(50);

        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            broken.addAll(brokenLinks(page));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    @DisplayName("has every page that sources name")
    void has_every_page_that_sources_name() throws IOException {
        List<String> absent = new ArrayList<>();
        for (Path source : sources()) {
            for (Matcher path = PATH_IN_SOURCES.matcher(Files.readString(source)); path.find(); ) {
                if (!Files.exists(ROOT.resolve(path.group()))) {
                    absent.add(source + " names " + path.group());
                }
            }
        }
        assertThat(absent).isEmpty();
    }

    @Test
    @DisplayName("gives every decision a number, a status and a date")
    void gives_every_decision_a_number_a_status_and_a_date() throws IOException {
        List<Path> decisions;
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/decisions"))) {
            decisions = files.sorted().toList();
        }
        assertThat(decisions).hasSizeGreaterThan(40);
        assertThat(decisions).allSatisfy(decision -> {
            String number = decision.getFileName().toString().substring(0, 4).replaceFirst("^0+", "");
            assertThat(Files.readString(decision))
                    .as(decision.toString())
                    .containsPattern("\\A# " + number + "\\. .+\n\n- Status: .+\n- Date: 20\\d\\d-\\d\\d-\\d\\d\n");
        });
    }

    @Test
    @DisplayName("has a README of about 900 words")
    void has_a_README_of_about_900_words() throws IOException {
        assertThat(Files.readString(ROOT.resolve("README.md")).split("\\s+"))
                .hasSizeLessThanOrEqualTo(LONGEST_README_WORDS);
    }

    @Test
    @DisplayName("has a glossary of one page")
    void has_a_glossary_of_one_page() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("docs/glossary.md")))
                .hasSizeLessThanOrEqualTo(LONGEST_GLOSSARY_LINES);
    }

    @Test
    @DisplayName("is checked by a test that finds broken links and ignores code")
    void is_checked_by_a_test_that_finds_broken_links_and_ignores_code(@TempDir Path directory) throws IOException {
        Path page = directory.resolve("page.md");
        Files.writeString(page, """
                # Stores, `Redis` & more
                ## Twice
                ## Twice
                [fine](#stores-redis--more) [fine](page.md#twice-1) [fine](https://example.org/x#y) [fine](.)
                [no heading](#twice-2) [no file](absent.md) `[code](absent.md)`
                ```
                [code](absent.md)
                # No heading
                ```
                [no heading](#no-heading)
                """);

        assertThat(brokenLinks(page))
                .extracting(link -> link.substring(link.indexOf(" -> ") + 4))
                .containsExactly("#twice-2", "absent.md", "#no-heading");
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
            docs.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
            examples.filter(path -> path.endsWith("README.md")).forEach(pages::add);
        }
        return pages;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                Integer.MAX_VALUE,
                (path, attributes) -> attributes.isRegularFile()
                        && SOURCE.matcher(path.toString()).matches())) {
            return files.toList();
        }
    }

    private static List<String> brokenLinks(Path page) throws IOException {
        String text = INLINE_CODE.matcher(withoutCodeBlocks(page)).replaceAll("");
        List<String> broken = new ArrayList<>();
        for (Matcher link = LINK.matcher(text); link.find(); ) {
            String target = link.group(1);
            if (!HAS_SCHEME.matcher(target).matches() && !exists(page, target)) {
                broken.add(page + " -> " + target);
            }
        }
        return broken;
    }

    private static boolean exists(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path linked = file.isEmpty() ? page : page.resolveSibling(file);
        return Files.exists(linked) && (hash < 0 || anchors(linked).contains(target.substring(hash + 1)));
    }

    /** The names of a page's headings as the usual hosts of Git repositories make them. */
    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> uses = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (Matcher heading = HEADING.matcher(withoutCodeBlocks(page)); heading.find(); ) {
            String anchor = NOT_IN_ANCHORS
                    .matcher(heading.group(1).toLowerCase(Locale.ROOT))
                    .replaceAll("")
                    .replace(' ', '-');
            int before = uses.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    private static String withoutCodeBlocks(Path page) throws IOException {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }
}
