package dev.semel.server.gateway.config;

import dev.semel.fingerprint.Pointer;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.server.gateway.config.LookupRule.Meaning;
import dev.semel.server.gateway.config.LookupTemplate.Place;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the unknown outcomes of one operation are looked up over HTTP: one request, and rules for what its answer means.
 *
 * <p>An answer that no rule is about, or that rules of different meanings are about, says nothing; it is asked again.
 *
 * @param method GET or HEAD, or POST for services that are searched with it; it must change nothing
 * @param headers by name; values may have places and secrets
 * @param timeout for the whole answer
 * @param maxBytes of the answer's body; a longer one says nothing
 * @param reference where the body of the protected request has what {@code {reference}} stands for; null when it is not used
 */
public record ResolverConfig(
        String method,
        LookupTemplate url,
        Map<String, LookupTemplate> headers,
        Duration timeout,
        int maxBytes,
        List<LookupRule> rules,
        @Nullable Pointer reference,
        ReconcilePolicy policy) {

    /** What most services answer in, many times over; longer than that they are in trouble. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** A reconciler allows a resolver 30 s, within which a look-up has to end. */
    public static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(25);

    /** More than a payment has, and as much as a route keeps of an answer by default. */
    public static final int DEFAULT_MAX_BYTES = 1 << 20;

    private static final int LARGEST_MAX_BYTES = 8 << 20;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7E]*");

    /** Those that the client of the gateway sets itself. */
    private static final Set<String> OWN_HEADERS =
            Set.of("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding", "te", "trailer");

    public ResolverConfig {
        headers = Map.copyOf(headers);
        rules = List.copyOf(rules);
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("a look-up with " + method
                    + " could change something: use GET or HEAD, or POST where a service is searched with it");
        }
        requireUrl(url);
        headers.forEach(ResolverConfig::requireHeader);
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("the timeout of a look-up is " + timeout
                    + ", it must be positive and at most " + LONGEST_TIMEOUT.toSeconds() + " s");
        }
        if (maxBytes < 1 || maxBytes > LARGEST_MAX_BYTES) {
            throw new IllegalArgumentException("an answer of a look-up has at most " + maxBytes
                    + " bytes, it must be between 1 and " + LARGEST_MAX_BYTES);
        }
        requireRules(method, rules);
        Set<Place> places = placesOf(url, headers);
        if (places.contains(Place.REFERENCE) != (reference != null)) {
            throw new IllegalArgumentException(
                    reference == null
                            ? "{reference} needs the pointer to a field of the request's body, such as /order/id"
                            : "the reference " + reference + " is not used: write {reference} in the URL or a header");
        }
        if (!places.contains(Place.KEY)
                && !places.contains(Place.DOWNSTREAM_KEY)
                && !places.contains(Place.REFERENCE)) {
            throw new IllegalArgumentException("the look-up does not say which request it is about: write {key},"
                    + " {downstreamKey} or {reference} in the URL or a header");
        }
    }

    private static void requireUrl(LookupTemplate url) {
        String wrong = "the look-up's URL '" + url.text() + "' ";
        URI uri;
        URI other;
        try {
            uri = new URI(url.filledEncoded(place -> "a"));
            other = new URI(url.filledEncoded(place -> "b"));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(wrong + "is no URL: " + e.getReason(), e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if ((!scheme.equals("http") && !scheme.equals("https")) || uri.getHost() == null) {
            throw new IllegalArgumentException(wrong + "does not begin with http://HOST or https://HOST");
        }
        if (!uri.getScheme().equals(other.getScheme()) || !uri.getRawAuthority().equals(other.getRawAuthority())) {
            throw new IllegalArgumentException(
                    wrong + "has a place before its path: a client could choose where it goes");
        }
        if (DotSegments.in(uri)) {
            throw new IllegalArgumentException(wrong + "has a segment '.' or '..': write the path without it");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    wrong + "has a user or a password: send them in the header Authorization");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException(wrong + "has a fragment, which is never sent");
        }
    }

    private static void requireHeader(String name, LookupTemplate value) {
        if (!HEADER_NAME.matcher(name).matches()
                || OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))
                || !HEADER_VALUE.matcher(value.text()).matches()) {
            throw new IllegalArgumentException("the header '" + name
                    + "' of a look-up cannot be sent: use a header name of letters, digits and hyphens that does not"
                    + " concern the connection, and a value on one line of ASCII characters");
        }
    }

    private static void requireRules(String method, List<LookupRule> rules) {
        if (rules.stream().noneMatch(rule -> rule.meaning() instanceof Meaning.Happened)) {
            throw new IllegalArgumentException("no rule says which answer means that it happened");
        }
        for (LookupRule rule : rules) {
            boolean readsBody = rule.when().pointer() != null
                    || (rule.meaning() instanceof Meaning.Happened happened && happened.body() != null);
            if (method.equals("HEAD") && readsBody) {
                throw new IllegalArgumentException("the answer to HEAD has no body for the rule '" + rule.when()
                        + "': use GET, or a rule with a status alone and without a body for retries");
            }
        }
    }

    private static Set<Place> placesOf(LookupTemplate url, Map<String, LookupTemplate> headers) {
        Set<Place> places = EnumSet.noneOf(Place.class);
        places.addAll(url.places());
        headers.values().forEach(value -> places.addAll(value.places()));
        return places;
    }

    /** What the look-up tells the service about the request. */
    public Set<Place> places() {
        return placesOf(url, headers);
    }

    /** Without the query and the values of headers, which can be secrets. */
    @Override
    public String toString() {
        int query = url.text().indexOf('?');
        return method + " " + (query < 0 ? url.text() : url.text().substring(0, query));
    }

    /**
     * Starts to configure a look-up with GET.
     *
     * @throws IllegalArgumentException when the template names an unknown place
     */
    public static Builder lookup(String url) {
        return new Builder(new LookupTemplate(url));
    }

    /** Configures a look-up; at least one rule must say what means that it happened. */
    public static final class Builder {

        private final LookupTemplate url;
        private final Map<String, LookupTemplate> headers = new LinkedHashMap<>();
        private final List<LookupRule> rules = new ArrayList<>();
        private String method = "GET";
        private Duration timeout = DEFAULT_TIMEOUT;
        private int maxBytes = DEFAULT_MAX_BYTES;
        private @Nullable Pointer reference;
        private ReconcilePolicy policy = ReconcilePolicy.DEFAULT;

        private Builder(LookupTemplate url) {
            this.url = url;
        }

        public Builder method(String newMethod) {
            method = newMethod;
            return this;
        }

        public Builder header(String name, String value) {
            headers.put(name, new LookupTemplate(value));
            return this;
        }

        public Builder rule(LookupRule rule) {
            rules.add(rule);
            return this;
        }

        public Builder timeout(Duration newTimeout) {
            timeout = newTimeout;
            return this;
        }

        public Builder maxBytes(int newMaxBytes) {
            maxBytes = newMaxBytes;
            return this;
        }

        /** Where the body of the protected request has what {@code {reference}} stands for. */
        public Builder reference(Pointer newReference) {
            reference = newReference;
            return this;
        }

        /** How long it is asked, and when "it did not happen" counts. */
        public Builder policy(ReconcilePolicy newPolicy) {
            policy = newPolicy;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @throws IllegalArgumentException when the look-up could mislead; the message says what would be right
         */
        public ResolverConfig build() {
            return new ResolverConfig(method, url, headers, timeout, maxBytes, rules, reference, policy);
        }
    }
}
