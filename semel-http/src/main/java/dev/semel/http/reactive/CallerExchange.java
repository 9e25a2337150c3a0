package dev.semel.http.reactive;

import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** An exchange that knows its principal also outside of the request's own context, which Spring Security keeps it in. */
final class CallerExchange extends ServerWebExchangeDecorator {

    private final ContextView context;

    CallerExchange(ServerWebExchange exchange, ContextView context) {
        super(exchange);
        this.context = context;
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return super.<T>getPrincipal().contextWrite(context);
    }
}
