package dev.semel;

import java.util.function.Predicate;

/**
 * One request to have an operation done once: which operation, whose key, and what the request means.
 *
 * @param sameAs recognizes a fingerprint that was stored under another version of the same meaning
 */
public record Intent(Operation operation, Identity identity, Fingerprint fingerprint, Predicate<Fingerprint> sameAs) {

    public static Intent of(Operation operation, Scope scope, Key key, Fingerprint fingerprint) {
        return new Intent(operation, new Identity(scope, key), fingerprint, fingerprint::matches);
    }

    /** The same intent, which also accepts records whose fingerprint this test recognizes. */
    public Intent sameAs(Predicate<Fingerprint> test) {
        return new Intent(operation, identity, fingerprint, test);
    }
}
