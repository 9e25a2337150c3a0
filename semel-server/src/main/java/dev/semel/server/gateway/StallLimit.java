package dev.semel.server.gateway;

import java.time.Duration;

/** How long a client may neither send nor take the next bytes. */
record StallLimit(Deadlines deadlines, Duration stalled) {

    Deadlines.Deadline of(Runnable action) {
        return deadlines.of(stalled, action);
    }
}
