package dev.semel.server.gateway.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How it is checked whether a caller may have a recorded answer. */
public sealed interface ReplayCheckConfig {

    /** Shorter than clients wait for an answer. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** The header that services usually authorize by. */
    List<String> DEFAULT_HEADERS = List.of("Authorization");

    /** Every caller of a key's scope may have the answer. */
    record None() implements ReplayCheckConfig {

        @Override
        public String toString() {
            return "every caller of the scope";
        }
    }

    /**
     * A service is asked.
     *
     * @param headers of the client's request, which the service gets to see
     */
    record Service(URI url, Duration timeout, List<String> headers) implements ReplayCheckConfig {

        @Override
        public String toString() {
            return "those whom " + url + " allows, within " + timeout;
        }
    }

    /** A claim of the caller's bearer token must be, or contain, a value. */
    record Claim(String name, String value) implements ReplayCheckConfig {

        @Override
        public String toString() {
            return "those whose token says " + name + ": " + value;
        }
    }

    /**
     * Reads the field {@code replay-check}.
     *
     * @throws ConfigException when it does not say exactly one way
     */
    static ReplayCheckConfig read(ConfigNode node) {
        Optional<URI> url = node.value("url", ReplayCheckConfig::url);
        Optional<String> claim = node.text("claim");
        Optional<String> value = node.text("value");
        Duration timeout = node.value("timeout", Values::positive).orElse(DEFAULT_TIMEOUT);
        List<String> named = node.texts("headers");
        boolean ofService = node.has("timeout") || node.has("headers");
        List<String> headers = node.has("headers") ? named : DEFAULT_HEADERS;
        node.requireNoMore();
        if (url.isPresent() && claim.isEmpty() && value.isEmpty()) {
            return new Service(url.get(), timeout, headers);
        }
        if (url.isEmpty() && claim.isPresent() && value.isPresent() && !ofService) {
            return new Claim(claim.get(), value.get());
        }
        throw node.wrong(
                "give either url, with timeout and headers, to ask a service, or claim and value, to look into the"
                        + " bearer token");
    }

    private static URI url(String text) {
        URI url = URI.create(text);
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new IllegalArgumentException("'" + text + "' is no URL; use http://HOST:PORT/PATH or https://…");
        }
        return url;
    }
}
