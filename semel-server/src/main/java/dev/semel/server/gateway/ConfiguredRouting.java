package dev.semel.server.gateway;

import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Gate;
import dev.semel.http.Problem;
import dev.semel.http.ProblemCode;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.SafeMethods;
import dev.semel.server.gateway.config.TrustedProxies;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a configuration, of which the first that matches decides.
 *
 * @param webhooks by their paths
 * @param keyHeader the header that holds the key
 */
record ConfiguredRouting(
        Gate gate, List<Route> routes, Map<String, WebhookEndpoint> webhooks, TrustedProxies trusted, String keyHeader)
        implements Routing {

    @Override
    public Optional<Matched> match(RequestTarget target, RequestView head) {
        for (Route route : routes) {
            if (route.config().matches(head.method(), target.host(), head.routingPath())) {
                return Optional.of(new Matched(route, admit(route, head)));
            }
        }
        return Optional.empty();
    }

    private Admission admit(Route route, RequestView head) {
        RoutePolicy policy = route.config().policy();
        if (SafeMethods.contains(head.method())) {
            return gate.admit(head);
        }
        if (policy == null) {
            return new Admission.PassThrough();
        }
        return hasBinaryKey(head) ? new Admission.Reply(binaryKey()) : gate.admit(policy, head);
    }

    /** Whether a client of gRPC sends its key as bytes, which would count as none. */
    private boolean hasBinaryKey(RequestView head) {
        return GrpcCall.isAbout(head.headers())
                && head.headers().first(keyHeader + "-bin").isPresent();
    }

    private Answer binaryKey() {
        return Problem.of(
                        ProblemCode.IDEMPOTENCY_KEY_INVALID,
                        "The gateway takes keys as text only: send it as " + keyHeader + ".")
                .toAnswer();
    }

    @Override
    public @Nullable WebhookEndpoint webhook(RequestView head) {
        return webhooks.isEmpty() ? null : webhooks.get(head.routingPath());
    }

    @Override
    public boolean trusts(String address) {
        return trusted.contains(address);
    }

    /** Owners of keys are found by the scopes of routes. */
    @Override
    public @Nullable String caller(HttpServerRequest request) {
        return null;
    }
}
