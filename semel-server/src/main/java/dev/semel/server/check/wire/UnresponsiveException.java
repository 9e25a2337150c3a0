package dev.semel.server.check.wire;

import java.time.Duration;

/** So many requests in a row got no answer in time that no more are sent. */
public final class UnresponsiveException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnresponsiveException(int requests, Duration timeout) {
        super(requests + " requests in a row got no answer within " + timeout.toMillis()
                + " ms, so no more are sent; --timeout waits longer");
    }
}
