package dev.semel.examples.policies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A row of the README's table.
 *
 * @param exchanges commands and their answers
 */
record Example(String name, List<Exchange> exchanges) {

    /** One command, which is sent once for each answer. */
    record Exchange(Curl command, List<Answer> answers) {}

    /**
     * An expected answer.
     *
     * @param holds texts that its body contains
     * @param how one of the words that the README explains; empty for a new execution or an error
     * @param afterAWhile whether the command is repeated until this is the answer
     */
    record Answer(int status, List<String> holds, String how, boolean afterAWhile) {

        private static final Pattern FORM =
                Pattern.compile("`(\\d{3})`((?: `[^`]+`)*)( replayed| the same| unprotected)?( after a while)?");
        private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

        static Answer parse(String text) {
            MatchResult parts = FORM.matcher(text)
                    .results()
                    .filter(match -> match.group().equals(text))
                    .findAny()
                    .orElseThrow(() -> new IllegalArgumentException("not an answer: " + text));
            return new Answer(
                    Integer.parseInt(parts.group(1)),
                    QUOTED.matcher(parts.group(2))
                            .results()
                            .map(match -> match.group(1))
                            .toList(),
                    parts.group(3) == null ? "" : parts.group(3).strip(),
                    parts.group(4) != null);
        }
    }

    static List<Example> inReadme() {
        try (Stream<String> lines = Files.lines(Path.of("README.md"))) {
            return lines.filter(line -> line.startsWith("| `"))
                    .map(Example::parse)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Example parse(String row) {
        String[] cells = row.split("\\|");
        List<String> commands = Arrays.asList(cells[3].strip().split("<br>"));
        List<String> answers = Arrays.asList(cells[4].strip().split("<br>"));
        String name = cells[1].strip().replace("`", "");
        if (commands.size() != answers.size()) {
            throw new IllegalArgumentException(name + ": not as many lines of answers as commands");
        }
        List<Exchange> exchanges = new ArrayList<>();
        for (int i = 0; i < commands.size(); i++) {
            exchanges.add(new Exchange(
                    Curl.parse(commands.get(i).replace("`", "")),
                    Stream.of(answers.get(i).split(", ")).map(Answer::parse).toList()));
        }
        return new Example(name, exchanges);
    }

    @Override
    public String toString() {
        return name;
    }
}
