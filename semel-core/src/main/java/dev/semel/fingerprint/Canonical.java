package dev.semel.fingerprint;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What became of a body that was read as JSON. */
public sealed interface Canonical {

    /** The canonical form of a body that is JSON with one meaning. */
    final class Json implements Canonical {

        private final byte[] bytes;

        Json(byte[] bytes) {
            this.bytes = bytes;
        }

        /** The array itself, not a copy: never change it. */
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Json that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        /** Says how long the form is, never what it says. */
        @Override
        public String toString() {
            return "canonical JSON of " + bytes.length + " bytes";
        }
    }

    /**
     * The body has no canonical form, so that only its bytes can be compared.
     *
     * @param reason why, without anything of the body
     */
    record Opaque(String reason) implements Canonical {}
}
