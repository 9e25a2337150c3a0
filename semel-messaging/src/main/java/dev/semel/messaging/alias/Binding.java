package dev.semel.messaging.alias;

import dev.semel.Identity;
import java.time.Duration;

/** The result of binding an alias to an intent. */
public sealed interface Binding {

    /**
     * The alias is bound to this intent.
     *
     * @param first whether this call bound it
     */
    record Bound(Identity identity, boolean first) implements Binding {}

    /** The alias stays bound to another intent. */
    record Conflict(Alias alias) implements Binding {}

    /** Another caller is binding the alias: try again. */
    record Busy(Duration retryAfter) implements Binding {}
}
