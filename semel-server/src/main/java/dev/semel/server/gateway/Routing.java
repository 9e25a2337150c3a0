package dev.semel.server.gateway;

import dev.semel.http.Admission;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go, by one configuration. It never changes: a new configuration is a new one, and requests keep the one that
 * they began with.
 */
interface Routing {

    /** The gate of all protected routes. */
    Gate gate();

    /** The route of a request, and what the gate says of its head; empty when there is none. */
    Optional<Matched> match(RequestTarget target, RequestView head);

    /** The webhook that a request is delivered to; null when it is for a service. */
    @Nullable
    WebhookEndpoint webhook(RequestView head);

    /** Whether the other end of a connection is a proxy that is believed what it says of its client. */
    boolean trusts(String address);

    /** The authenticated caller; null for an anonymous one. */
    @Nullable
    String caller(HttpServerRequest request);

    /** A route, and the gate's decision about a request on it. */
    record Matched(Route route, Admission admission) {}
}
