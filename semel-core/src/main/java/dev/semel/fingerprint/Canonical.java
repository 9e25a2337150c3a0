package dev.semel.fingerprint;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What became of a body that was read as JSON. */
sealed interface Canonical {

    /** The canonical form of a body that is JSON with one meaning. */
    final class Json implements Canonical {

        private final byte[] array;
        private final int length;

        /** Takes the array, of which only the first bytes count, without copying it. */
        Json(byte[] array, int length) {
            this.array = array;
            this.length = length;
        }

        /** A copy of the canonical form. */
        public byte[] bytes() {
            return Arrays.copyOf(array, length);
        }

        Content content() {
            return Content.json(array, length);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Json that && Arrays.equals(array, 0, length, that.array, 0, that.length);
        }

        @Override
        public int hashCode() {
            return ByteBuffer.wrap(array, 0, length).hashCode();
        }

        /** Says how long the form is, never what it says. */
        @Override
        public String toString() {
            return "canonical JSON of " + length + " bytes";
        }
    }

    /**
     * The body has no canonical form, so that only its bytes can be compared.
     *
     * @param reason why, without anything of the body
     */
    record Opaque(String reason) implements Canonical {}
}
