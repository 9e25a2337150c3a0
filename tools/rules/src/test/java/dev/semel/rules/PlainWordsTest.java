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

    /** Words that hide who acts. Name the actor instead: caller, client, worker, lease holder, reconciler, operator. */
    private static final Pattern HIDDEN_ACTOR =
            Pattern.compile("\\b(somebody|nobody|whoever|anybody|everybody)\\b", Pattern.CASE_INSENSITIVE);

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
                if (HIDDEN_ACTOR.matcher(line).find()) {
                    found.add(Reactor.ROOT.relativize(file) + ":" + number + ": " + line.strip());
                }
            }
        }
        assertThat(found).as("name the actor and what it does").isEmpty();
    }
}
