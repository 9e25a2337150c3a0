package dev.semel.messaging;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import org.jspecify.annotations.Nullable;

/**
 * What tells messages apart: their id, and what they say.
 *
 * @param key the message's id within its consumer group
 * @param fingerprint of its content: another content under the same id is another message in disguise
 */
public record Letter(Key key, Fingerprint fingerprint) {

    /** What media type canonical JSON has: whether fields are in another order makes no other message. */
    private static final String JSON = "application/json";

    /** What decoders put in the place of bytes that are no text. */
    private static final char NO_TEXT = '\uFFFD';

    /**
     * A message that its sender has given an id.
     *
     * @throws IllegalArgumentException when it can be no id: it is missing, empty or too long, or it was no text, so that two
     *     ids could look like one
     */
    public static Letter withId(@Nullable String id, byte[] content) {
        if (id == null || id.indexOf(NO_TEXT) >= 0) {
            throw new IllegalArgumentException(id == null ? "a message has no id" : "a message's id is no text");
        }
        return new Letter(Key.of(id), fingerprint(content));
    }

    /** A message without an id: the same content is the same message. */
    public static Letter withoutId(byte[] content) {
        Fingerprint fingerprint = fingerprint(content);
        String value = fingerprint.value();
        return new Letter(Key.of("content:" + value.substring(value.indexOf(':') + 1)), fingerprint);
    }

    /** By its id if it has one, otherwise by its content. */
    public static Letter of(@Nullable String id, byte[] content) {
        return id == null || id.isEmpty() ? withoutId(content) : withId(id, content);
    }

    /** JSON counts by what it says, everything else by its bytes, and so does JSON that is too large or too deep to read. */
    private static Fingerprint fingerprint(byte[] content) {
        Parts parts;
        try {
            parts = Parts.builder().body(JSON, content).build();
        } catch (BodyLimitException tooMuch) {
            parts = Parts.builder().body(BodyForm.raw(), JSON, content).build();
        }
        return Fingerprinter.sha256().of(parts);
    }
}
