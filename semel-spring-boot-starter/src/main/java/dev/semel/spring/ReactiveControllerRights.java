package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Intent.Replay;
import dev.semel.Intent.ReplayCheck;
import dev.semel.http.RequestView;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.CookieValueMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.PathVariableMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.PrincipalMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.RequestBodyMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.RequestHeaderMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestParamMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ServerWebExchangeMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Spring Security's rules for controller methods of WebFlux, evaluated before a replay, by the same rules as
 * {@link ServletControllerRights}. Path variables, request parameters, headers, cookies, the body, the principal and the exchange
 * can be resolved; a rule that refers to arguments is refused where the method has another one.
 */
final class ReactiveControllerRights implements ControllerRights {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    private final MethodRights rights;
    private final OperationHandlers handlers;
    private final List<RequestMappingHandlerMapping> mappings;
    private final RequestMappingHandlerAdapter adapter;
    private final List<HandlerMethodArgumentResolver> resolvers;

    ReactiveControllerRights(
            MethodRights rights,
            OperationHandlers handlers,
            List<RequestMappingHandlerMapping> mappings,
            RequestMappingHandlerAdapter adapter,
            ConfigurableBeanFactory beans) {
        this.rights = rights;
        this.handlers = handlers;
        this.mappings = mappings;
        this.adapter = adapter;
        ReactiveAdapterRegistry registry = ReactiveAdapterRegistry.getSharedInstance();
        this.resolvers = List.of(
                new PathVariableMethodArgumentResolver(beans, registry),
                new RequestParamMethodArgumentResolver(beans, registry, false),
                new RequestHeaderMethodArgumentResolver(beans, registry),
                new CookieValueMethodArgumentResolver(beans, registry),
                new RequestBodyMethodArgumentResolver(adapter.getMessageReaders(), registry),
                new PrincipalMethodArgumentResolver(registry),
                new ServerWebExchangeMethodArgumentResolver(registry));
    }

    /** An exception that ends a call where the method would run. */
    private static final class ReachedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ReachedException() {
            super("asked, not called", null, false, false);
        }
    }

    @Override
    public Optional<ReplayCheck> check() {
        boolean concerned = mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .anyMatch(rights::concern);
        return concerned ? Optional.of(replay -> mayReplay(replay).toFuture()) : Optional.empty();
    }

    private Mono<Boolean> mayReplay(Replay replay) {
        ServerWebExchange exchange = replay.request(RequestView.class)
                .flatMap(view -> view.unwrap(ServerWebExchange.class))
                .map(Asked::new)
                .orElseThrow(() -> new IllegalStateException("this is no request of WebFlux"));
        Mono<Boolean> all = Flux.fromIterable(handlers.of(replay.operation()))
                .concatMap(handler -> isAllowed(
                        handler,
                        exchange,
                        Mono.error(new IllegalStateException("a request for the status of a key has no arguments"))))
                .all(allowed -> allowed);
        return Flux.fromIterable(mappings)
                .concatMap(mapping -> mapping.getHandler(exchange))
                .onErrorResume(notMapped -> Mono.empty())
                .next()
                .ofType(HandlerMethod.class)
                .flatMap(handler -> isAllowed(handler, exchange, arguments(handler, exchange))
                        .flatMap(allowed ->
                                !allowed || handlers.has(replay.operation(), handler) ? Mono.just(allowed) : all))
                .switchIfEmpty(all);
    }

    private Mono<Boolean> isAllowed(HandlerMethod handler, ServerWebExchange exchange, Mono<Object[]> arguments) {
        if (!rights.concern(handler)) {
            return Mono.just(true);
        }
        Mono<MethodRights.Arguments> resolved = arguments
                .<MethodRights.Arguments>map(values -> () -> values)
                .onErrorResume(failure -> Mono.just(() -> {
                    throw new IllegalStateException("the arguments cannot be resolved", failure);
                }));
        Mono<Boolean> asked = resolved.flatMap(values -> Mono.defer(() -> called(handler, values)))
                .thenReturn(false)
                .onErrorResume(failure -> Mono.just(isReached(handler, failure)));
        return exchange.getPrincipal()
                .ofType(Authentication.class)
                .flatMap(caller -> asked.contextWrite(ReactiveSecurityContextHolder.withAuthentication(caller)))
                .switchIfEmpty(asked);
    }

    private Mono<Object> called(HandlerMethod handler, MethodRights.Arguments arguments) {
        boolean single = Mono.class.isAssignableFrom(handler.getMethod().getReturnType());
        try {
            Object answer = rights.call(
                    handler,
                    arguments,
                    () -> single ? Mono.error(new ReachedException()) : Flux.error(new ReachedException()));
            return answer instanceof Publisher<?> publisher
                    ? Flux.from(publisher).then(Mono.empty())
                    : Mono.empty();
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    private static boolean isReached(HandlerMethod handler, Throwable failure) {
        if (!(failure instanceof ReachedException
                || failure instanceof AccessDeniedException
                || failure instanceof AuthenticationException)) {
            LOG.log(Level.WARNING, "a replay is refused: the rule of " + handler + " cannot be evaluated", failure);
        }
        return failure instanceof ReachedException;
    }

    private Mono<Object[]> arguments(HandlerMethod handler, ServerWebExchange exchange) {
        BindingContext binding = new BindingContext(adapter.getWebBindingInitializer());
        return Flux.fromArray(handler.getMethodParameters())
                .concatMap(parameter -> argument(parameter, binding, exchange))
                .map(value -> value)
                .collectList()
                .map(values -> values.stream().map(value -> value.orElse(null)).toArray());
    }

    private Mono<Optional<Object>> argument(
            MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        Class<?> type = parameter.getParameterType();
        if (type == Attempt.class || ServerHttpResponse.class.isAssignableFrom(type)) {
            return Mono.just(Optional.empty());
        }
        return resolvers.stream()
                .filter(resolver -> resolver.supportsParameter(parameter))
                .findFirst()
                .map(resolver -> resolver.resolveArgument(parameter, binding, exchange)
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty()))
                .orElseGet(() -> Mono.error(new IllegalStateException("an argument cannot be resolved: " + parameter)));
    }

    /** The exchange, with attributes of its own: what is found out here is not seen by the application. */
    private static final class Asked extends ServerWebExchangeDecorator {

        private final Map<String, @Nullable Object> own;

        Asked(ServerWebExchange exchange) {
            super(exchange);
            own = new HashMap<>(exchange.getAttributes());
        }

        @Override
        public Map<String, @Nullable Object> getAttributes() {
            return own;
        }
    }
}
