package dev.semel.server.gateway.settle;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Step;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import java.util.List;
import java.util.Optional;

/** The fields of requests by which their outcomes are looked up: recorded with the attempt, before the request is sent. */
public final class References {

    private static final Step STEP = Step.named(HttpResolver.REFERENCE_STEP);

    private References() {}

    /**
     * Records the field of a body: a text, or an integer. Does nothing when there is none. Blocks while the store is asked.
     *
     * @throws RuntimeException when it could not be recorded; the request must not be sent
     */
    public static void record(Attempt attempt, Pointer pointer, byte[] body) {
        textAt(pointer, body).ifPresent(text -> attempt.step(STEP, Codec.text(), key -> text));
    }

    /** The field of a body; empty when it has none that can be a name. */
    static Optional<String> textAt(Pointer pointer, byte[] body) {
        try {
            return CanonicalJson.standard()
                    .select(body, List.of(pointer))
                    .flatMap(values -> JsonText.of(values.get(pointer)));
        } catch (BodyLimitException e) {
            return Optional.empty();
        }
    }
}
