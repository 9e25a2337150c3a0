package dev.semel.server.check.zoo;

/** An error that a client caused. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
