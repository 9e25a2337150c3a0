package dev.semel.fingerprint;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The canonical form of JSON (RFC 8785): equal for two spellings of one document, different for two documents.
 *
 * <p>Members are sorted by the UTF-16 units of their names, white space is dropped, strings are escaped in one way, and
 * numbers are laid out as ECMAScript lays them out, with <em>one deliberate deviation</em>: a number keeps its exact
 * decimal value. RFC 8785 rounds every number to a double first, and would give {@code 9007199254740993} and
 * {@code 9007199254740992} the same bytes; here two different amounts never share a fingerprint. Every number that is
 * written as a double prints comes out as RFC 8785 says.
 *
 * <p>A body that has no single meaning has no canonical form: invalid JSON, an empty body, anything after the document,
 * bytes that are not UTF-8 or begin with a byte order mark, a member name that occurs twice in one object, an unpaired
 * surrogate. Parsers disagree about such bodies, so they are only ever equal to themselves, byte for byte.
 *
 * <p>Instances are immutable and safe for use by many threads.
 */
public final class CanonicalJson {

    private static final CanonicalJson STANDARD = new CanonicalJson(Limits.DEFAULT);

    private final Limits limits;

    public CanonicalJson(Limits limits) {
        this.limits = limits;
    }

    /** Canonical JSON within {@link Limits#DEFAULT}. */
    public static CanonicalJson standard() {
        return STANDARD;
    }

    /**
     * Gives the body its canonical form, or says why it has none.
     *
     * @throws BodyLimitException when the body exceeds a limit before it proves to be one or the other
     */
    Canonical of(byte[] body) {
        try {
            ByteSink written = read(body, List.of()).written();
            return new Canonical.Json(written.array(), written.size());
        } catch (NotCanonicalException e) {
            return new Canonical.Opaque(e.reason());
        }
    }

    /**
     * The canonical form of each value that a pointer leads to; a pointer that leads nowhere is left out. Empty when the
     * body as a whole has no canonical form.
     *
     * @throws BodyLimitException when the body exceeds a limit before it proves to be one or the other
     */
    public Optional<Map<Pointer, byte[]>> select(byte[] body, Collection<Pointer> pointers) {
        try {
            return Optional.of(read(body, pointers).selected());
        } catch (NotCanonicalException e) {
            return Optional.empty();
        }
    }

    /** The text of which this is the canonical form, which must be that of a string, as {@link #select} gives it. */
    public static String text(byte[] canonicalString) {
        return CanonicalText.of(canonicalString, 0, canonicalString.length);
    }

    private CanonicalWriter read(byte[] body, Collection<Pointer> pointers) throws NotCanonicalException {
        if (body.length > limits.maxBytes()) {
            throw BodyLimitException.size(body.length, limits.maxBytes());
        }
        if (!Utf8.isWellFormed(body)) {
            throw new NotCanonicalException("it is not UTF-8");
        }
        if (body.length >= 3 && body[0] == (byte) 0xEF && body[1] == (byte) 0xBB && body[2] == (byte) 0xBF) {
            throw new NotCanonicalException("it begins with a byte order mark");
        }
        CanonicalWriter writer =
                new CanonicalWriter(limits, pointers.isEmpty() ? null : PointerTree.of(pointers), body);
        writer.copy();
        return writer;
    }

    /**
     * How much JSON may be asked of {@link CanonicalJson} before it refuses.
     *
     * @param maxBytes the longest body, in bytes
     * @param maxDepth how deeply arrays and objects may nest; {@code [[1]]} nests 2 deep
     * @param maxNumberLength the longest spelling of a number, in characters
     */
    public record Limits(int maxBytes, int maxDepth, int maxNumberLength) {

        /**
         * 8 MiB, because reading holds the body and its canonical form at once, and a body whose members are out of order
         * about four times; 100 levels, which no interface written for people reaches, and which bounds how often a hostile body can have its
         * innermost bytes moved; 1000 digits, far more than any amount or identifier has.
         */
        public static final Limits DEFAULT = new Limits(8 << 20, 100, 1000);

        /** A canonical form can be several times as long as the body ({@code 1e20} is), and must still fit one array. */
        private static final int MOST_BYTES = 256 << 20;

        public Limits {
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
}
