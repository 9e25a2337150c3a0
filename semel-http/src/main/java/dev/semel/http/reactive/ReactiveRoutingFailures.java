package dev.semel.http.reactive;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.resource.NoResourceFoundException;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.reactive.result.method.InvocableHandlerMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import reactor.core.publisher.Mono;

/**
 * Marks the requests that WebFlux answers without a handler, so that their key is released. It handles nothing: the adapters
 * and exception handlers after it give the answer.
 *
 * <ol>
 *   <li>No handler was chosen: no mapping of the path, method, parameters, or media types.
 *   <li>The handler of static resources was chosen because nothing else was, and has no such resource.
 *   <li>The method was chosen, and no argument can be made of a body of this media type, so that it was not called.
 * </ol>
 */
public final class ReactiveRoutingFailures implements HandlerAdapter, DispatchExceptionHandler, Ordered {

    private static final String NOT_ROUTED = ReactiveRoutingFailures.class.getName();

    /** Whether a request was answered without a handler. */
    static boolean isNotRouted(ServerWebExchange exchange) {
        return exchange.getAttribute(NOT_ROUTED) != null;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return false;
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        return Mono.error(new IllegalStateException("this adapter supports no handler"));
    }

    @Override
    public Mono<HandlerResult> handleError(ServerWebExchange exchange, Throwable failure) {
        if (hasNoHandler(exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE), failure)) {
            exchange.getAttributes().put(NOT_ROUTED, true);
        }
        return Mono.error(failure);
    }

    /** Other mappings do not set which handler they chose, so that it counts where Spring's own code threw the exception. */
    private static boolean hasNoHandler(@Nullable Object handler, Throwable failure) {
        if (handler == null) {
            return isThrownIn(RequestMappingInfoHandlerMapping.class, "handleNoMatch", failure)
                    || isThrownIn(DispatcherHandler.class, "createNotFoundError", failure);
        }
        if (handler instanceof ResourceWebHandler) {
            return failure instanceof NoResourceFoundException || failure instanceof MethodNotAllowedException;
        }
        return failure instanceof UnsupportedMediaTypeStatusException
                && isThrownIn(InvocableHandlerMethod.class, "getMethodArgumentValues", failure);
    }

    /** The names of lambdas contain those of their methods. */
    private static boolean isThrownIn(Class<?> type, String method, Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(type.getName())
                        && frame.getMethodName().contains(method));
    }
}
