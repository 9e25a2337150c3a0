package dev.semel.server.gateway.config;

import dev.semel.http.PathPattern;
import dev.semel.http.RoutePolicy;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One route: which requests match, where they go, and how they are protected.
 *
 * @param methods empty for every method
 * @param hosts in lower case; empty for every host
 * @param policy null when requests pass through
 * @param scope null for that of the gateway
 * @param resolver how unknown outcomes are looked up; null when they are not
 * @param webhook how events of a provider settle them; null when they do not
 */
public record RouteConfig(
        String name,
        Set<String> methods,
        Set<String> hosts,
        PathPattern path,
        @Nullable RoutePolicy policy,
        @Nullable ScopeConfig scope,
        UpstreamAddress upstream,
        Timeouts timeouts,
        Set<Extra> extras,
        @Nullable ResolverConfig resolver,
        @Nullable WebhookConfig webhook) {

    public RouteConfig {
        if (resolver != null && policy == null) {
            throw new IllegalArgumentException("requests of route " + name
                    + " pass through, so that there is no outcome to look up: leave the resolver out");
        }
        if (webhook != null && policy == null) {
            throw new IllegalArgumentException("requests of route " + name
                    + " pass through, so that there is no outcome to settle: leave the webhook out");
        }
    }

    /** A route whose unknown outcomes are settled by the service or a person. */
    public RouteConfig(
            String name,
            Set<String> methods,
            Set<String> hosts,
            PathPattern path,
            @Nullable RoutePolicy policy,
            @Nullable ScopeConfig scope,
            UpstreamAddress upstream,
            Timeouts timeouts,
            Set<Extra> extras) {
        this(name, methods, hosts, path, policy, scope, upstream, timeouts, extras, null, null);
    }

    /** Headers about an attempt, with which a service can fence its own writes. */
    public enum Extra {
        /** {@code Semel-Attempt}: 1 for the first. */
        ATTEMPT,
        /** {@code Semel-Fence}: the number of the lease, which rises with each. */
        FENCE,
        /** {@code Semel-Downstream-Key}: a key derived from the record, the same on each attempt. */
        DOWNSTREAM_KEY,
        /** {@code Semel-Scope}: whom the key belongs to, as the settle API wants it; left out unless it is ASCII. */
        SCOPE
    }

    /** The purpose for which downstream keys are derived. */
    public static final String DOWNSTREAM_PURPOSE = "gateway";

    /**
     * How long a service and a client are waited for.
     *
     * @param connect for a connection
     * @param request for the body of a protected request, which the client sends
     * @param answer from the dispatch of a protected request to the last byte of its answer; then its outcome is unknown
     * @param lateAnswer how much longer the answer is waited for, which would settle the outcome
     * @param reuse how long after an answer its connection may be used for another protected request; zero for never
     */
    public record Timeouts(Duration connect, Duration request, Duration answer, Duration lateAnswer, Duration reuse) {

        /** Services are configured in whole seconds when to close idle connections: this is half of the shortest. */
        private static final Duration DEFAULT_REUSE = Duration.ofMillis(500);

        /** As patient as clients usually are; an answer that comes after they gave up still settles. */
        public static final Timeouts DEFAULT = new Timeouts(
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofMinutes(10),
                DEFAULT_REUSE);
    }

    /** The same route, with a resolver. */
    public RouteConfig resolver(ResolverConfig other) {
        return new RouteConfig(name, methods, hosts, path, policy, scope, upstream, timeouts, extras, other, webhook);
    }

    /** The same route, with a webhook. */
    public RouteConfig webhook(WebhookConfig other) {
        return new RouteConfig(name, methods, hosts, path, policy, scope, upstream, timeouts, extras, resolver, other);
    }

    public boolean matches(String method, String host, String routingPath) {
        return (methods.isEmpty() || methods.contains(method))
                && (hosts.isEmpty() || hosts.contains(host))
                && path.matches(routingPath);
    }
}
