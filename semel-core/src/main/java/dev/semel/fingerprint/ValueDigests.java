package dev.semel.fingerprint;

import java.nio.charset.StandardCharsets;
import javax.crypto.Mac;

/**
 * Short keyed digests of single values.
 *
 * <p>A digest is over the part of the request, the pointer within it and the canonical value, each framed: one value at two
 * places has two digests. The key is that of one record, so that one value in two records has two digests, too.
 */
final class ValueDigests {

    /**
     * 24 bits: of 16 million changed values one is taken for unchanged, and then the answer names one member less. More bits
     * would only tell more about a value to a reader of the store who has the secret.
     */
    static final int BYTES = 3;

    private final Mac keyed;
    private final ByteSink framed = new ByteSink(128);

    ValueDigests(Mac keyed) {
        this.keyed = keyed;
    }

    int of(String part, String pointer, Stretch value) {
        framed.truncate(0);
        frame(part);
        frame(pointer);
        framed.write(value.kind().tag());
        keyed.update(framed.array(), 0, framed.size());
        value.digestInto(keyed);
        byte[] digest = keyed.doFinal();
        return (digest[0] & 0xFF) << 16 | (digest[1] & 0xFF) << 8 | (digest[2] & 0xFF);
    }

    private void frame(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        framed.writeLength(bytes.length).write(bytes, 0, bytes.length);
    }
}
