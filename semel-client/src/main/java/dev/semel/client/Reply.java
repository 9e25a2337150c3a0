package dev.semel.client;

import java.net.http.HttpHeaders;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A response for a {@link RetryRule} to judge.
 *
 * @param fields the strings, numbers and booleans of a JSON body by their names, those of nested objects as
 *     {@code error.code}; empty when the status is below 400 and not 202, when the body is not JSON, or when it is longer
 *     than 64 KiB
 */
public record Reply(int status, HttpHeaders headers, Map<String, String> fields) {

    private static final Set<String> WITHHELD = Set.of("idempotency_key_expired", "idempotency_replay_forbidden");

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

    /**
     * Whether the server says that the request can be sent with a new key and is certain not to be executed a second time by
     * that. What a client does not know to be safe is not.
     */
    public boolean safeNewKey() {
        return field("safe_new_key").filter("true"::equals).isPresent();
    }

    /** Returns what the server says a client does next. */
    public Optional<Next> next() {
        return field("next.code")
                .map(code -> new Next(code, field("next.detail").orElse("")));
    }

    /**
     * Whether the server refuses the key because it is older than its records, or because the recorded response may not be
     * shown: an earlier attempt may have been executed.
     */
    boolean withholdsOutcome() {
        return code().filter(WITHHELD::contains).isPresent();
    }

    /**
     * What a server says a client does next.
     *
     * @param code for machines, such as {@code wait_and_retry_same_key}
     * @param detail a sentence for people
     */
    public record Next(String code, String detail) {}

    boolean hasHeader(String header, String value) {
        return headers.firstValue(header)
                .map(text -> text.trim().toLowerCase(Locale.ROOT))
                .filter(value::equals)
                .isPresent();
    }
}
