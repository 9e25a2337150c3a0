package dev.semel.http.reactive;

import dev.semel.Attempt;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Lets a controller method, or one that answers its exceptions, take the {@link Attempt} that its request runs in. */
public final class ReactiveAttemptArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Attempt.class;
    }

    @Override
    public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        Attempt attempt = SemelWebFilter.attempt(exchange).orElse(null);
        if (attempt == null && !parameter.isOptional()) {
            return Mono.error(
                    new IllegalStateException(parameter.getExecutable() + " takes an Attempt, but this request is not"
                            + " protected: it came without a key, or no operation matches it"));
        }
        return Mono.justOrEmpty(attempt);
    }
}
