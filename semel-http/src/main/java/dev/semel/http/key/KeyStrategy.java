package dev.semel.http.key;

import java.time.Duration;
import java.time.InstantSource;

/**
 * A way to find the key of a request or message.
 *
 * <p>Strategies combine: {@code fromHeader("Idempotency-Key").withRules(KeyRules.NONE.requireUuid()).orElse(contentHash())}.
 * None of them throws for what a client sent. One that derives keys answers with {@link KeyResult.Found#derived}.
 */
@FunctionalInterface
public interface KeyStrategy {

    KeyResult resolve(KeyInput input);

    /** The key that the client sent in a header, in the lenient syntax. */
    static KeyStrategy fromHeader(String name) {
        return IdempotencyKeyHeader.lenient(name);
    }

    /**
     * A key derived from what is sent, which is exactly what counts in its fingerprint: for a request of HTTP method, path,
     * query, media type, the headers that the route names, and the body, or the fields of it that the route names.
     */
    static KeyStrategy contentHash() {
        return new ContentHashKey();
    }

    /**
     * The key {@code user:action:key}, for keys that are only unique for one user and one action.
     *
     * <p>Parts are escaped so that they never run together. A result longer than a key may be is replaced by its hash.
     */
    static KeyStrategy userAction(String action, KeyStrategy inner) {
        return new UserActionKey(action, inner);
    }

    /**
     * The key of another strategy within a window of time: the same content within one window is one intent, and a new
     * intent in the next.
     *
     * <p>Windows are fixed: they begin at whole multiples of their length since 1970-01-01T00:00Z. Two requests a second
     * apart are therefore two intents when a window ends between them; a key that the client chooses has no such edge.
     *
     * <p>The window is taken from the given clock of this application. A wrong clock puts requests into other windows; it
     * has no influence on leases and expiry, which go by the store's clock.
     */
    static KeyStrategy timeWindow(Duration window, InstantSource clock, KeyStrategy inner) {
        return new TimeWindowKey(window, clock, inner);
    }

    /**
     * The key in a field of a JSON body, named by a JSON Pointer such as {@code /meta/eventId}, or for a top-level
     * member by its bare name, such as {@code eventId}.
     */
    static KeyStrategy fromField(String pointerOrName) {
        return FieldKey.of(pointerOrName);
    }

    /** This strategy, and where it finds no key, another; an invalid key is an answer and is not passed over. */
    default KeyStrategy orElse(KeyStrategy other) {
        return input -> {
            KeyResult first = resolve(input);
            if (!(first instanceof KeyResult.Missing mine)) {
                return first;
            }
            KeyResult second = other.resolve(input);
            return second instanceof KeyResult.Missing theirs
                    ? new KeyResult.Missing(mine.lookedFor() + " or " + theirs.lookedFor())
                    : second;
        };
    }

    /** This strategy, with keys that break the rules refused. */
    default KeyStrategy withRules(KeyRules rules) {
        return input -> {
            KeyResult result = resolve(input);
            return result instanceof KeyResult.Found found
                            && rules.check(found.key()) instanceof KeyResult.Invalid invalid
                    ? invalid
                    : result;
        };
    }
}
