package dev.semel.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Plain words:")
class PlainWordsTest {

    /** Programs get, read, return and report; only people are told something, and hear of it. */
    private static final Pattern PERSONIFIED =
            Pattern.compile("(?i)\\b(?:is|are|was|were) told\\b(?! apart| from)|\\b(?:hears?|heard) of\\b");

    /**
     * Words that hide who acts, also within the names of tests. Name the actor instead: caller, client, worker, lease holder,
     * reconciler, operator.
     */
    private static final Pattern HIDDEN_ACTOR =
            Pattern.compile("(?<![A-Za-z])(?i:somebody|nobody|whoever|anybody|everybody)(?![a-z])"
                    + "|(?:Some|No|Any|Every)body(?![a-z])|Whoever(?![a-z])");

    /** Not our words: a method of the JDK, GitHub's example of a secret, and a value that records of old snapshots hold. */
    private static final Pattern QUOTED = Pattern.compile("noBody|It's a Secret to Everybody|<nobody known>");

    @Test
    void texts_name_the_actor() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Reactor.texts()) {
            if (file.endsWith("PlainWordsTest.java")) {
                continue;
            }
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = QUOTED.matcher(line).replaceAll("");
                if (HIDDEN_ACTOR.matcher(text).find()
                        || PERSONIFIED.matcher(text).find()) {
                    found.add(Reactor.ROOT.relativize(file) + ":" + number + ": " + line.strip());
                }
            }
        }
        assertThat(found).as("name the actor and what it does").isEmpty();
    }
}
