package dev.semel.jaxrs;

import dev.semel.http.Answer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;

/** The last response filter: settles responses that have no body to wait for, and puts answers in their place. */
final class SettleFilter implements ContainerResponseFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        Exchange exchange = Exchange.of(request).orElse(null);
        if (exchange == null) {
            return;
        }
        if (exchange.isUnprotected()) {
            response.getHeaders().putSingle(Answer.PROTECTED, "false");
            return;
        }
        exchange.leaveFilters(response);
        exchange.putAnswer();
    }
}
