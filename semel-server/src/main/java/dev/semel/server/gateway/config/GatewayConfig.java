package dev.semel.server.gateway.config;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.http.PathPattern;
import dev.semel.http.ResponseRule;
import dev.semel.http.RoutePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a gateway that concern requests; it can be replaced while the gateway runs.
 *
 * @param scope whom keys belong to, on routes that do not say otherwise
 * @param statusPath the path of the resource that answers the state of a key
 * @param routes the first that matches decides
 * @param replayCheck which callers of a key's scope may have a recorded answer
 * @param answers what answers say beyond what they must
 */
public record GatewayConfig(
        ScopeConfig scope,
        JwtConfig jwt,
        TrustedProxies trustedProxies,
        String keyHeader,
        String statusPath,
        List<RouteConfig> routes,
        SettlingConfig settling,
        ReplayCheckConfig replayCheck,
        AnswersConfig answers) {

    public static final String DEFAULT_KEY_HEADER = "Idempotency-Key";
    public static final String DEFAULT_STATUS_PATH = "/idempotency/status";

    /** The name of the operation of requests that no route of a file names. */
    public static final String DEFAULT_OPERATION = "gateway";

    /** With these a proxy between gateway and service says that it does not know what became of the request. */
    public static final Set<Integer> DEFAULT_UNKNOWN_ON = Set.of(502, 504);

    /**
     * Checks the look-ups and the webhooks of the routes.
     *
     * @throws IllegalArgumentException when one could find another owner's request, or webhooks share a path
     */
    public GatewayConfig {
        routes = List.copyOf(routes);
        Set<String> paths = new HashSet<>(Set.of(statusPath));
        for (RouteConfig route : routes) {
            requireOwnLookup(scope, route);
            requireOwnEvents(scope, route);
            requireOwnPath(paths, route);
        }
    }

    /** A configuration with which services settle nothing themselves. */
    public GatewayConfig(
            ScopeConfig scope,
            JwtConfig jwt,
            TrustedProxies trustedProxies,
            String keyHeader,
            String statusPath,
            List<RouteConfig> routes) {
        this(scope, jwt, trustedProxies, keyHeader, statusPath, routes, SettlingConfig.DEFAULT);
    }

    /**
     * What answers say beyond what they must.
     *
     * @param headers whether they repeat the key and say until when they are kept
     * @param policyPath where the policy of every route is published; null where it is not
     */
    public record AnswersConfig(boolean headers, @Nullable String policyPath) {

        public static final AnswersConfig DEFAULT = new AnswersConfig(true, null);
    }

    /** A configuration with which every caller of a key's scope may have the recorded answer. */
    public GatewayConfig(
            ScopeConfig scope,
            JwtConfig jwt,
            TrustedProxies trustedProxies,
            String keyHeader,
            String statusPath,
            List<RouteConfig> routes,
            SettlingConfig settling) {
        this(
                scope,
                jwt,
                trustedProxies,
                keyHeader,
                statusPath,
                routes,
                settling,
                new ReplayCheckConfig.None(),
                AnswersConfig.DEFAULT);
    }

    /** Refuses a look-up by the key alone where keys of different owners may be equal. */
    static RouteConfig requireOwnLookup(ScopeConfig standard, RouteConfig route) {
        ScopeConfig scope = route.scope() == null ? standard : route.scope();
        ResolverConfig resolver = route.resolver();
        if (resolver != null
                && !(scope instanceof ScopeConfig.Shared)
                && resolver.places().equals(Set.of(LookupTemplate.Place.KEY))) {
            throw new IllegalArgumentException(
                    "the look-up of route " + route.name() + " asks by {key} alone, and keys of"
                            + " different owners may be equal: write {scope} as well, or {downstreamKey}");
        }
        return route;
    }

    /** Refuses events that name the key alone where keys of different owners may be equal. */
    static RouteConfig requireOwnEvents(ScopeConfig standard, RouteConfig route) {
        ScopeConfig scope = route.scope() == null ? standard : route.scope();
        if (route.webhook() != null
                && !(scope instanceof ScopeConfig.Shared)
                && route.webhook().subject() instanceof WebhookConfig.Subject.ByKey named
                && named.scope() == null) {
            throw new IllegalArgumentException("events of route " + route.name() + " name a key alone, and keys of"
                    + " different owners may be equal: say with 'scope' where events have the owner, as the service was"
                    + " sent it in Semel-Scope, or use 'downstream-key'");
        }
        return route;
    }

    /** Refuses a webhook at a path that is taken; its path is added to those. */
    static RouteConfig requireOwnPath(Set<String> taken, RouteConfig route) {
        if (route.webhook() != null && !taken.add(route.webhook().path())) {
            throw new IllegalArgumentException("the webhook of route " + route.name() + " has the path "
                    + route.webhook().path() + ", which another webhook or the status resource has: choose another");
        }
        return route;
    }

    /** Whether a route says with a mismatch in what the requests differ. */
    public boolean explainsMismatches() {
        return routes.stream()
                .map(RouteConfig::policy)
                .anyMatch(policy -> policy != null && policy.explainsMismatches());
    }

    /** The same, with another way to settle. */
    public GatewayConfig settling(SettlingConfig other) {
        return new GatewayConfig(
                scope, jwt, trustedProxies, keyHeader, statusPath, routes, other, replayCheck, answers);
    }

    /** The same, with another check of replays. */
    public GatewayConfig replayCheck(ReplayCheckConfig other) {
        return new GatewayConfig(scope, jwt, trustedProxies, keyHeader, statusPath, routes, settling, other, answers);
    }

    /** What is done without a file: requests that change something are protected when they have a key. */
    public static GatewayConfig of(
            UpstreamAddress upstream, ScopeConfig scope, JwtConfig jwt, TrustedProxies trustedProxies) {
        RoutePolicy policy = RoutePolicy.of(Operation.named(DEFAULT_OPERATION))
                .keyOptional()
                .responseRule(responseRule(
                        DEFAULT_UNKNOWN_ON, Operation.named(DEFAULT_OPERATION).failures()))
                .build();
        RouteConfig keyed = new RouteConfig(
                DEFAULT_OPERATION,
                Set.of("POST", "PUT", "PATCH", "DELETE"),
                Set.of(),
                PathPattern.of("*"),
                policy,
                null,
                upstream,
                RouteConfig.Timeouts.DEFAULT,
                Set.of());
        RouteConfig rest = new RouteConfig(
                "everything-else",
                Set.of(),
                Set.of(),
                PathPattern.of("*"),
                null,
                null,
                upstream,
                RouteConfig.Timeouts.DEFAULT,
                Set.of());
        return new GatewayConfig(
                scope, jwt, trustedProxies, DEFAULT_KEY_HEADER, DEFAULT_STATUS_PATH, List.of(keyed, rest));
    }

    /**
     * The rule that answers with one of these statuses leave the outcome unknown, and that those of gRPC mean what their own
     * status says.
     */
    static ResponseRule responseRule(Set<Integer> unknownOn, Failures failures) {
        ResponseRule grpc = new GrpcStatusRule(failures);
        return (status, headers) ->
                unknownOn.contains(status) ? Optional.of(Failures.RECONCILE) : grpc.judge(status, headers);
    }
}
