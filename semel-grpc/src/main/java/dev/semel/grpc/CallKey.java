package dev.semel.grpc;

import dev.semel.Key;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The key that a client has sent with a call, if any. */
sealed interface CallKey {

    record Found(Key key) implements CallKey {}

    record Missing() implements CallKey {}

    record Invalid(String reason) implements CallKey {}

    int LONGEST_TEXT = 255;

    /** In the form that is stored it has 175 characters, which every store takes. */
    int LONGEST_BYTES = 128;

    /** Keeps binary keys apart from text, in which there is no space. */
    String BINARY_PREFIX = "bin ";

    static boolean isIn(Metadata headers) {
        return headers.containsKey(IdempotencyMetadata.KEY) || headers.containsKey(IdempotencyMetadata.BINARY_KEY);
    }

    static CallKey of(Metadata headers) {
        List<String> texts = all(headers, IdempotencyMetadata.KEY);
        List<byte[]> binaries = all(headers, IdempotencyMetadata.BINARY_KEY);
        if (texts.size() + binaries.size() > 1) {
            return new Invalid("the call has more than one key; send one, and the same on every retry");
        }
        if (!texts.isEmpty()) {
            return ofText(texts.get(0));
        }
        return binaries.isEmpty() ? new Missing() : ofBytes(binaries.get(0));
    }

    private static CallKey ofText(String text) {
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            return new Invalid("the key has " + text.length() + " characters; send 1 to " + LONGEST_TEXT + " of them");
        }
        // A proxy may join two keys by a comma.
        boolean visible = text.chars().allMatch(c -> c > ' ' && c < 0x7F && c != ',');
        return visible
                ? new Found(Key.of(text))
                : new Invalid("the key has characters other than visible ASCII without commas; send others as "
                        + IdempotencyMetadata.BINARY_KEY.name());
    }

    private static CallKey ofBytes(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > LONGEST_BYTES) {
            return new Invalid("the binary key has " + bytes.length + " bytes; send 1 to " + LONGEST_BYTES);
        }
        return new Found(
                Key.of(BINARY_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
    }

    private static <T> List<T> all(Metadata headers, Metadata.Key<T> name) {
        List<T> values = new ArrayList<>();
        Iterable<T> found = headers.getAll(name);
        if (found != null) {
            found.forEach(values::add);
        }
        return values;
    }
}
