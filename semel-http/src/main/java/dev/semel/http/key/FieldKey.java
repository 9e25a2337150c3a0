package dev.semel.http.key;

import dev.semel.InvalidKeyException;
import dev.semel.Key;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.ContentCoding;
import dev.semel.fingerprint.MediaType;
import dev.semel.fingerprint.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The key in a field of a JSON body: a string, or an integer, which counts as its digits.
 *
 * <p>A field that is {@code null} is missing, as is every field of a body that is empty or announced as something other
 * than JSON. A body that should be JSON and is not, that is in another character set than UTF-8, that names a member
 * twice, or whose coding cannot be read is refused rather than guessed at.
 */
final class FieldKey implements KeyStrategy {

    /** Integers of up to 21 digits have no exponent in canonical form. */
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

    private final Pointer pointer;

    private FieldKey(Pointer pointer) {
        this.pointer = pointer;
    }

    static FieldKey of(String pointerOrName) {
        if (pointerOrName.isEmpty()) {
            throw new IllegalArgumentException("a key's field needs a name, such as \"eventId\" or \"/meta/eventId\"");
        }
        return new FieldKey(
                pointerOrName.startsWith("/") ? Pointer.of(pointerOrName) : Pointer.toMember(pointerOrName));
    }

    @Override
    public KeyResult resolve(KeyInput input) {
        String mediaType = input.mediaType();
        if (mediaType != null && !MediaType.isJson(mediaType)) {
            return missing();
        }
        if (input.body().length == 0) {
            return missing();
        }
        if (mediaType != null && !MediaType.isUtf8Json(mediaType)) {
            return unreadable();
        }
        Optional<byte[]> body = ContentCoding.of(input.header("Content-Encoding"))
                .decode(input.body(), CanonicalJson.Limits.DEFAULT.maxBytes());
        Optional<Map<Pointer, byte[]>> values;
        try {
            values = body.flatMap(json -> CanonicalJson.standard().select(json, List.of(pointer)));
        } catch (BodyLimitException e) {
            return new KeyResult.Invalid(String.valueOf(e.getMessage()));
        }
        if (values.isEmpty()) {
            return unreadable();
        }
        byte[] value = values.get().get(pointer);
        return value == null ? missing() : keyOf(value);
    }

    private KeyResult keyOf(byte[] canonical) {
        String text = new String(canonical, StandardCharsets.UTF_8);
        if (text.equals("null")) {
            return missing();
        }
        if (text.startsWith("\"")) {
            text = CanonicalJson.text(canonical);
        } else if (!INTEGER.matcher(text).matches()) {
            return new KeyResult.Invalid(
                    "the field " + pointer + " must be a string, or an integer of at most 21 digits");
        }
        try {
            return new KeyResult.Found(new Key(text));
        } catch (InvalidKeyException e) {
            return new KeyResult.Invalid("in the field " + pointer + " " + e.getMessage());
        }
    }

    private KeyResult unreadable() {
        return new KeyResult.Invalid("the key is read from the field " + pointer
                + " of the body, which must be valid JSON in UTF-8 that names no member twice, sent as it is or with"
                + " Content-Encoding gzip or deflate");
    }

    private KeyResult missing() {
        return new KeyResult.Missing("the field " + pointer + " of the body");
    }
}
