package dev.semel.client;

import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A response for a {@link RetryRule} to judge.
 *
 * @param fields the strings, numbers and booleans of a JSON body by their names, those of nested objects as
 *     {@code error.code}; empty when the status is below 400 and not 202, when the body is not JSON, or when it is longer
 *     than 64 KiB
 */
public record Reply(int status, HttpHeaders headers, Map<String, String> fields) {

    public Reply {
        fields = Map.copyOf(fields);
    }

    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** Whether the headers of Semel or Stripe mark this as the recorded response of an earlier attempt. */
    public boolean replayed() {
        return hasHeader("Idempotency-Replayed", "true") || hasHeader("Idempotent-Replayed", "true");
    }

    /**
     * Whether a header says that the server ignored the key, as Semel does on a route that fails open while its store is
     * unavailable: another attempt could then be another execution.
     */
    public boolean unprotected() {
        return hasHeader("Idempotency-Protected", "false");
    }

    /** Returns the code of a problem: {@code code}, or Stripe's {@code error.code}. */
    public Optional<String> code() {
        return field("code").or(() -> field("error.code"));
    }

    boolean hasHeader(String header, String value) {
        return headers.firstValue(header)
                .map(text -> text.trim().toLowerCase(Locale.ROOT))
                .filter(value::equals)
                .isPresent();
    }
}
