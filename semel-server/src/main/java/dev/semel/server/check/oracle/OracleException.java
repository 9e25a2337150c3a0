package dev.semel.server.check.oracle;

/** Effects could not be counted. */
public final class OracleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OracleException(String message) {
        super(message);
    }

    OracleException(String message, Throwable cause) {
        super(message, cause);
    }
}
