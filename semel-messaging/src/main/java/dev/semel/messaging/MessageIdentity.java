package dev.semel.messaging;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a message: its id, and the fingerprint of its content.
 *
 * @param key the message's id within its consumer group
 * @param fingerprint of the content; a message with the same id and another fingerprint is refused
 * @param sentAt when the message was sent first, by its sender's clock; null where that does not count; see {@link #sentAt(Instant)}
 */
public record MessageIdentity(
        Key key, Fingerprint fingerprint, @Nullable Instant sentAt) {

    /** Content is fingerprinted as canonical JSON, so the order of fields does not matter. */
    private static final String JSON = "application/json";

    /** The character that decoders substitute for bytes that are not text. */
    private static final char REPLACEMENT = '\uFFFD';

    public MessageIdentity(Key key, Fingerprint fingerprint) {
        this(key, fingerprint, null);
    }

    /**
     * The same identity, with the time at which the message was sent first, such as a field of it. Once the retention has passed
     * since then, the message is not handled any more but a dead letter: it may have been handled before. So the retention must be
     * longer than messages wait for their consumer.
     */
    public MessageIdentity sentAt(Instant time) {
        return new MessageIdentity(key, fingerprint, time);
    }

    /**
     * The identity of a message with an id that its sender assigned.
     *
     * @throws IllegalArgumentException when the id is missing, empty or too long, or was decoded from bytes that are not text,
     *     so that two different ids could look the same
     */
    public static MessageIdentity withId(@Nullable String id, byte[] content) {
        if (id == null || id.indexOf(REPLACEMENT) >= 0) {
            throw new IllegalArgumentException(
                    id == null ? "the message has no id" : "the message's id is not valid UTF-8 text");
        }
        return new MessageIdentity(Key.of(id), fingerprint(content));
    }

    /** The identity of a message without an id: messages with the same content are the same message. */
    public static MessageIdentity fromContent(byte[] content) {
        Fingerprint fingerprint = fingerprint(content);
        String value = fingerprint.value();
        return new MessageIdentity(Key.of("content:" + value.substring(value.indexOf(':') + 1)), fingerprint);
    }

    /** The identity by the message's id if it has one, otherwise by its content. */
    public static MessageIdentity of(@Nullable String id, byte[] content) {
        return id == null || id.isEmpty() ? fromContent(content) : withId(id, content);
    }

    /** JSON is compared by its canonical form; anything else, and JSON beyond the reader's limits, by its bytes. */
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
