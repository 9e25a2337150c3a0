package dev.semel.spring.actuate;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** A request that is not done, with what would be right instead. */
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
     * The body of a refusal. Boot's own errors leave their message out unless they are told otherwise, and a message that
     * nobody sees helps nobody.
     */
    record Problem(int status, String detail) {}
}
