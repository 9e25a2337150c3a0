package dev.semel.server.check.wire;

/** The thread that checks was interrupted. */
public final class InterruptedCheckException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InterruptedCheckException() {
        super("the check was interrupted");
    }
}
