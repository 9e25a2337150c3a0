package dev.semel.server.gateway;

import java.util.Locale;

/** What became of a request, for the access log. */
enum RequestOutcome {
    /** It was sent to the service without protection. */
    PASSED,
    /** It was sent to the service, once, and this is the service's answer. */
    RAN,
    /** It was executed before, and this is the recorded answer. */
    REPLAYED,
    /** It was not sent, or the service could not be reached. */
    REFUSED,
    /** It is not known whether it was executed, now or earlier. */
    UNKNOWN,
    /** It asked for the state of a key. */
    STATUS,
    /** It was an event of a provider, which settles outcomes. */
    WEBHOOK;

    private static final String OUTCOME_UNKNOWN = "idempotency_outcome_unknown";
    private static final String BROKEN_OFF = "gateway_upstream_failed";

    /** What a refusal with this code means. */
    static RequestOutcome ofCode(String code) {
        return switch (code) {
            case OUTCOME_UNKNOWN -> UNKNOWN;
            case BROKEN_OFF -> PASSED;
            default -> REFUSED;
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
