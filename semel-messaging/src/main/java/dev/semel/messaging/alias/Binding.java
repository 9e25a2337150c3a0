package dev.semel.messaging.alias;

import dev.semel.Identity;
import java.time.Duration;

/** What came of binding an alias to an intent. */
public sealed interface Binding {

    /**
     * The alias means this intent.
     *
     * @param first whether that is new
     */
    record Bound(Identity identity, boolean first) implements Binding {}

    /** The alias means another intent already, and goes on to do so. */
    record Conflict(Alias alias) implements Binding {}

    /** Somebody else is binding it: ask again. */
    record Busy(Duration retryAfter) implements Binding {}
}
