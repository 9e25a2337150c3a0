package dev.semel.jaxrs;

import dev.semel.http.Gate;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.lang.System.Logger.Level;

/**
 * The first response filter: takes the exception that {@link FailureMapper} has handed over, so that the application's filters
 * see an ordinary response.
 */
final class FailureFilter implements ContainerResponseFilter {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final Gate gate;

    FailureFilter(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        CarriedFailure carried = CarriedFailure.takenFrom(response).orElse(null);
        Exchange exchange = Exchange.of(request).orElse(null);
        if (exchange != null && !exchange.isUnprotected()) {
            exchange.enterFilters(carried);
        } else if (carried != null && !carried.answered()) {
            withoutProtection(carried.failure(), request, response);
        }
    }

    /** A method that runs without protection may call the engine itself, and be refused. */
    private void withoutProtection(
            Throwable failure, ContainerRequestContext request, ContainerResponseContext response) {
        gate.refusalOf(failure, RequestHead.of(request))
                .ifPresentOrElse(
                        answer -> ResponseAnswer.put(answer, response),
                        () -> LOG.log(Level.ERROR, "a request failed that is not protected", failure));
    }
}
