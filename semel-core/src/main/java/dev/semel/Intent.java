package dev.semel;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One request to have an operation done once: which operation, whose key, and what the request means.
 *
 * @param sameAs recognizes a fingerprint that was stored under another version of the same meaning
 * @param description of the request, for operators; see {@link #describedAs}
 */
public record Intent(
        Operation operation,
        Identity identity,
        Fingerprint fingerprint,
        Predicate<Fingerprint> sameAs,
        @Nullable String description) {

    /** Enough for a method and most paths; every claim stores it. */
    private static final int LONGEST_DESCRIPTION = 200;

    public static Intent of(Operation operation, Scope scope, Key key, Fingerprint fingerprint) {
        return new Intent(operation, new Identity(scope, key), fingerprint, fingerprint::matches, null);
    }

    /** The same intent, which also accepts records whose fingerprint this test recognizes. */
    public Intent sameAs(Predicate<Fingerprint> test) {
        return new Intent(operation, identity, fingerprint, test, description);
    }

    /**
     * The same intent, with a short description of the request, such as {@code POST /payments/42}. It is stored in clear with
     * every claim that is granted, and shown to operators; nothing is decided by it. What is not fit to be printed on one
     * line is replaced, and what is too long is cut off.
     */
    public Intent describedAs(String request) {
        String line = Text.onOneLine(request.strip(), LONGEST_DESCRIPTION);
        return new Intent(operation, identity, fingerprint, sameAs, line.isEmpty() ? null : line);
    }
}
