package dev.semel.messaging.webhook;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A delivery as received over HTTP, not yet verified: its headers, and its body byte for byte. */
public final class WebhookRequest {

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final byte[] body;

    /**
     * Wraps a delivery without copying its body: the caller must not change the array any more.
     *
     * @param headers each with all of its values
     */
    public WebhookRequest(Map<String, List<String>> headers, byte[] body) {
        headers.forEach((name, values) -> this.headers.put(name, List.copyOf(values)));
        this.body = body;
    }

    /** The header's value; empty when the header is missing, or ambiguous because it was sent more than once. */
    public Optional<String> header(String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }

    /** Whether the header was sent at least once. */
    boolean has(String name) {
        return headers.containsKey(name);
    }

    /** The body itself, not a copy: never change it. */
    public byte[] body() {
        return body;
    }

    /** The length of the body, never its content. */
    @Override
    public String toString() {
        return "webhook of " + body.length + " bytes";
    }
}
