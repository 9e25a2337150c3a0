package dev.semel.server.check.wire;

import java.time.Duration;

/** No whole answer arrived: the connection failed, was closed or cut, or the time was up. */
public record NoAnswer(String reason, Duration elapsed) implements Reply {

    static final String TIMEOUT = "timeout";

    static final String TLS = "TLS failed: ";

    /** What the caller can do about it. */
    public String advice() {
        return reason.startsWith(TLS)
                ? "-k accepts every certificate"
                : "start the API, or give the address where it runs";
    }

    boolean isTimeout() {
        return reason.equals(TIMEOUT);
    }

    @Override
    public String brief() {
        return "no answer (" + reason + ")";
    }
}
