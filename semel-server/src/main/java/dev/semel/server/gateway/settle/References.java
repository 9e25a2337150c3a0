package dev.semel.server.gateway.settle;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Step;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The fields of requests by which their outcomes are looked up: recorded with the attempt, before the request is sent. */
public final class References {

    private static final Step STEP = Step.named(HttpResolver.REFERENCE_STEP);
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

    /** As long as a key may be. */
    private static final int LONGEST = 255;

    private References() {}

    /**
     * Records the field of a body: a text, or an integer. Does nothing when there is none. Blocks while the store is asked.
     *
     * @throws RuntimeException when it could not be recorded; the request must not be sent
     */
    public static void record(Attempt attempt, Pointer pointer, byte[] body) {
        textAt(pointer, body).ifPresent(text -> attempt.step(STEP, Codec.text(), key -> text));
    }

    private static Optional<String> textAt(Pointer pointer, byte[] body) {
        Optional<byte[]> value;
        try {
            value = CanonicalJson.standard()
                    .select(body, List.of(pointer))
                    .flatMap(values -> Optional.ofNullable(values.get(pointer)));
        } catch (BodyLimitException e) {
            return Optional.empty();
        }
        return value.map(References::textOf).filter(text -> !text.isEmpty() && text.length() <= LONGEST);
    }

    private static String textOf(byte[] canonical) {
        String text = new String(canonical, StandardCharsets.UTF_8);
        if (text.startsWith("\"")) {
            return CanonicalJson.text(canonical);
        }
        return INTEGER.matcher(text).matches() ? text : "";
    }
}
