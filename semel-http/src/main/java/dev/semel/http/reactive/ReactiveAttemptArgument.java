package dev.semel.http.reactive;

import dev.semel.Attempt;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Resolves parameters of type {@link Attempt}, in controller methods and exception handlers: the attempt of the request. */
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
                            + " protected: it has no key, or no operation matches it. Annotate the parameter"
                            + " with @Nullable, or require a key"));
        }
        return Mono.justOrEmpty(attempt);
    }
}
