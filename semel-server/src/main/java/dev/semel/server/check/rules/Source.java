package dev.semel.server.check.rules;

/** Where a rule comes from. */
public record Source(String text, String link) {

    private static final String DRAFT_PAGE =
            "https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07#section-";

    /** A section of the IETF draft of the header. */
    static Source draft(String section) {
        return new Source("Idempotency-Key draft, section " + section, DRAFT_PAGE + section);
    }

    static Source rfc(int number, String section) {
        return new Source(
                "RFC " + number + ", section " + section,
                "https://www.rfc-editor.org/rfc/rfc" + number + "#section-" + section);
    }

    static Source stripe() {
        return new Source("Stripe API, Idempotent requests", "https://docs.stripe.com/api/idempotent_requests");
    }

    static Source stripeErrors() {
        return new Source("Stripe, Advanced error handling", "https://docs.stripe.com/error-low-level#idempotency");
    }

    static Source fetch() {
        return new Source(
                "Fetch standard, CORS-preflight fetch", "https://fetch.spec.whatwg.org/#cors-preflight-fetch");
    }
}
