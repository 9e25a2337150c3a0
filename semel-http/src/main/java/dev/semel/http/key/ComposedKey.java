package dev.semel.http.key;

import dev.semel.InvalidKeyException;
import dev.semel.Key;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import java.util.List;
import java.util.StringJoiner;

/** A key of several parts, different for different lists of parts. */
final class ComposedKey {

    private ComposedKey() {}

    /**
     * Joins the parts with colons, those within them escaped as {@code %3A}; what no key can hold, because it is too long
     * or has control characters, is replaced by {@code %sha256:…}, which no joined text begins with.
     */
    static Key of(List<String> parts) {
        StringJoiner joined = new StringJoiner(":");
        Parts.Builder all = Parts.builder();
        for (String part : parts) {
            joined.add(part.replace("%", "%25").replace(":", "%3A"));
            all.add("part", part);
        }
        try {
            return new Key(joined.toString());
        } catch (InvalidKeyException e) {
            return new Key(hashed(all.build()));
        }
    }

    /** What stands for parts that do not fit; joined parts cannot look like it, since they escape every {@code %}. */
    static String hashed(Parts parts) {
        return "%sha256:" + digest(parts);
    }

    /** The digest of these parts, without the version that fingerprints carry. */
    static String digest(Parts parts) {
        String fingerprint = Fingerprinter.sha256().of(parts).value();
        return fingerprint.substring(fingerprint.indexOf(':') + 1);
    }
}
