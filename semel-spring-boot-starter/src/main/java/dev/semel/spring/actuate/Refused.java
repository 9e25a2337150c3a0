package dev.semel.spring.actuate;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Thrown for a request that is refused; the message says what would be right. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    private static final int CONFLICT = 409;
    private static final int NOT_IMPLEMENTED = 501;

    private final int status;

    private Refused(int status, String detail) {
        super(detail, null, false, false);
        this.status = status;
    }

    static Refused badInput(String detail) {
        return new Refused(WebEndpointResponse.STATUS_BAD_REQUEST, detail);
    }

    static Refused notFound(String detail) {
        return new Refused(WebEndpointResponse.STATUS_NOT_FOUND, detail);
    }

    /** The record is not in the state that the request is about. */
    static Refused conflict(String detail) {
        return new Refused(CONFLICT, detail);
    }

    static Refused unsupported(String detail) {
        return new Refused(NOT_IMPLEMENTED, detail);
    }

    static Refused unavailable(String detail) {
        return new Refused(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, detail);
    }

    WebEndpointResponse<Object> response() {
        String detail = getMessage();
        return new WebEndpointResponse<>(new Problem(status, detail == null ? "" : detail), status);
    }

    /**
     * The body of a refusal, with its message, which Boot's own error bodies leave out by default.
     */
    record Problem(int status, String detail) {}
}
