package dev.semel.server.check.wire;

import java.time.Duration;

/** No whole answer arrived: the connection failed, was closed or cut, or the time was up. */
public record NoAnswer(String reason, Duration elapsed) implements Reply {

    @Override
    public String brief() {
        return "no answer (" + reason + ")";
    }
}
