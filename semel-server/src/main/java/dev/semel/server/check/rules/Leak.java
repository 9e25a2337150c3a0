package dev.semel.server.check.rules;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.wire.Answer;
import dev.semel.server.check.wire.WireRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds parts of a recorded answer within another one. */
final class Leak {

    /** Shorter texts occur by chance. */
    private static final int SHORTEST = 6;

    private Leak() {}

    /**
     * A text of the recorded answer that the other one contains, and neither the request to it nor the usual answer does.
     *
     * @param usual the answer to another execution: what it has in common with the recorded one is no secret
     */
    static Optional<String> of(Answer recorded, Answer answer, WireRequest request, Answer usual) {
        String shown = answer.text();
        String known = request.bodyText() + request.headers() + usual.text();
        List<String> texts = new ArrayList<>();
        texts.add(recorded.text().strip());
        Json.parse(recorded.text()).ifPresent(json -> addLeaves(texts, json));
        recorded.first("Location").ifPresent(texts::add);
        return texts.stream()
                .filter(text -> text.length() >= SHORTEST && shown.contains(text) && !known.contains(text))
                .findFirst();
    }

    private static void addLeaves(List<String> texts, Object json) {
        if (json instanceof Map<?, ?> object) {
            object.values().stream().filter(value -> value != null).forEach(value -> addLeaves(texts, value));
        } else if (json instanceof Collection<?> array) {
            array.stream().filter(value -> value != null).forEach(value -> addLeaves(texts, value));
        } else {
            texts.add(String.valueOf(json));
        }
    }
}
