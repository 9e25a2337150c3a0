package dev.semel.messaging.webhook;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A delivery as it came over HTTP: its headers, and its body byte for byte. Nothing of it is to be believed yet. */
public final class WebhookRequest {

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final byte[] body;

    /**
     * Takes a delivery without copying its body, which nobody may change any more.
     *
     * @param headers each with one value for each time it was sent
     */
    public WebhookRequest(Map<String, List<String>> headers, byte[] body) {
        headers.forEach((name, values) -> this.headers.put(name, List.copyOf(values)));
        this.body = body;
    }

    /** The header's value; empty when it was not sent, or more than once: then nobody knows which one is meant. */
    public Optional<String> header(String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
    }

    /** Whether the header was sent, however often. */
    boolean has(String name) {
        return headers.containsKey(name);
    }

    /** The body itself, not a copy: never change it. */
    public byte[] body() {
        return body;
    }

    /** Says how long the delivery is, never what it says. */
    @Override
    public String toString() {
        return "webhook of " + body.length + " bytes";
    }
}
