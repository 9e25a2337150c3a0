package dev.semel.server.gateway;

import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request with everything that is known when its head has arrived.
 *
 * @param entry what the access log says about it; null when there is none
 */
record Exchange(
        HttpServerRequest request,
        Routing routing,
        RequestView view,
        ForwardedHead head,
        ClientAnswer client,
        Seat seat,
        @Nullable AccessEntry entry) {

    /**
     * What a request has on its event loop.
     *
     * @param place its place among those in progress
     */
    record Seat(Exchanges exchanges, Exchanges.Place place, StallLimit stalls) {}

    Context context() {
        return seat.exchanges().context();
    }

    /** The request is about to be claimed: it may be executed from now on, whether or not its client stays. */
    void begun() {
        seat.exchanges().begun();
        seat.place().hold();
    }

    void over() {
        seat.place().release();
        seat.exchanges().over();
    }

    /** Notes the key of a request for the access log. */
    void note(RoutePolicy policy, RequestView whole) {
        if (entry != null) {
            entry.of(routing.gate().identityOf(policy, whole).orElse(null));
        }
    }
}
