package dev.semel.client;

import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A response as a {@link RetryRule} sees it, before anybody has its body.
 *
 * @param fields the texts, numbers and truth values of a JSON body by their names, those of objects within it as
 *     {@code error.code}; nothing when the status is below 400 and not 202, when the body is not JSON, or when it is longer
 *     than 64 KiB
 */
public record Reply(int status, HttpHeaders headers, Map<String, String> fields) {

    public Reply {
        fields = Map.copyOf(fields);
    }

    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** Whether this is the recorded response of an earlier attempt, by the headers of Semel and of Stripe. */
    public boolean replayed() {
        return says("Idempotency-Replayed", "true") || says("Idempotent-Replayed", "true");
    }

    /**
     * Whether the server says that it did not look at the key, as Semel does on a route that fails open while the store is
     * down: another attempt could then be another execution.
     */
    public boolean unprotected() {
        return says("Idempotency-Protected", "false");
    }

    /** The code of a problem: {@code code}, or Stripe's {@code error.code}. */
    public Optional<String> code() {
        return field("code").or(() -> field("error.code"));
    }

    boolean says(String header, String value) {
        return headers.firstValue(header)
                .map(text -> text.trim().toLowerCase(Locale.ROOT))
                .filter(value::equals)
                .isPresent();
    }
}
