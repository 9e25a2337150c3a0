package dev.semel.fingerprint;

/**
 * How much JSON may be asked of {@link CanonicalJson} before it refuses.
 *
 * @param maxBytes the longest body, in bytes
 * @param maxDepth how deeply arrays and objects may nest; {@code [[1]]} nests 2 deep
 * @param maxNumberLength the longest spelling of a number, in characters
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxNumberLength) {

    /**
     * 8 MiB, because reading holds the body and its canonical form at once, and a body whose members are out of order
     * about four times; 100 levels, which no interface written for people reaches, and which bounds how often a hostile body can have its
     * innermost bytes moved; 1000 digits, far more than any amount or identifier has.
     */
    public static final JsonLimits DEFAULT = new JsonLimits(8 << 20, 100, 1000);

    /** A canonical form can be several times as long as the body ({@code 1e20} is), and must still fit one array. */
    private static final int MOST_BYTES = 256 << 20;

    public JsonLimits {
        requirePositive(maxBytes, "maxBytes");
        if (maxBytes > MOST_BYTES) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + ", it must be at most " + MOST_BYTES);
        }
        requirePositive(maxDepth, "maxDepth");
        requirePositive(maxNumberLength, "maxNumberLength");
    }

    private static void requirePositive(int limit, String name) {
        if (limit < 1) {
            throw new IllegalArgumentException(name + " is " + limit + ", it must be at least 1");
        }
    }
}
