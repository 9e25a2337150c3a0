package dev.semel.http.reactive;

import dev.semel.Attempt;
import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.SafeMethods;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * The filter that makes the routes of a {@link Gate} safe to retry in a reactive application.
 *
 * <ol>
 *   <li>It never blocks the thread that it is called on: stores are called on Reactor's threads for blocking calls.
 *   <li>From the claim on, a client that disconnects cancels nothing.
 *   <li>The record is durable before the first byte of the response leaves.
 * </ol>
 *
 * <p>It must run after the filters that authenticate and authorize, and before those that read bodies.
 */
public final class SemelWebFilter implements WebFilter, Ordered {

    /** After Spring Security, whose order is -100, and most other filters. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final String ATTEMPT = Attempt.class.getName();
    private static final String SEEN = SemelWebFilter.class.getName();
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private final Gate gate;
    private final ServerCodecConfigurer codecs;
    private final int order;

    public SemelWebFilter(Gate gate) {
        this(gate, ServerCodecConfigurer.create(), DEFAULT_ORDER);
    }

    /**
     * @param codecs with which handlers read forms and parts
     * @throws IllegalArgumentException when a route is in a transaction, which this transport does not support
     */
    public SemelWebFilter(Gate gate, ServerCodecConfigurer codecs, int order) {
        if (gate.hasTransactions()) {
            throw new IllegalArgumentException(
                    "a route is in a transaction, which belongs to one thread, but WebFlux changes"
                            + " threads; call executeInTransaction in the handler, on a thread that may block");
        }
        this.gate = gate;
        this.codecs = codecs;
        this.order = order;
    }

    /** The attempt that a protected request runs in, for handlers that derive keys from it or declare its outcome. */
    public static Optional<Attempt> attempt(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(ATTEMPT));
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (exchange.getAttributes().putIfAbsent(SEEN, true) != null) {
            return chain.filter(exchange);
        }
        if (passesForEveryUser(exchange)) {
            return passThrough(exchange, chain);
        }
        return user(exchange).flatMap(user -> {
            RequestView head = ReactiveRequestHead.of(exchange.getRequest(), user.orElse(null));
            Admission admission = gate.admit(head);
            if (admission instanceof Admission.Protect protect) {
                return protect(protect.policy(), head, exchange, chain);
            }
            if (admission instanceof Admission.Reply reply) {
                return ReactiveAnswerWriter.write(reply.answer(), exchange.getResponse());
            }
            if (admission instanceof Admission.Status) {
                return Mono.deferContextual(context -> Mono.fromCallable(
                                () -> gate.status(head.withOwn(() -> new CallerExchange(exchange, context)))))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(answer -> ReactiveAnswerWriter.write(answer, exchange.getResponse()));
            }
            return passThrough(exchange, chain);
        });
    }

    /** Runs a handler without protection. A call that it makes to the engine itself may be refused. */
    private Mono<Void> passThrough(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).onErrorResume(failure -> {
            Optional<Answer> refusal = exchange.getResponse().isCommitted()
                    ? Optional.empty()
                    : gate.refusalOf(failure, ReactiveRequestHead.of(exchange.getRequest(), null));
            return refusal.map(answer -> ReactiveAnswerWriter.write(answer, exchange.getResponse()))
                    .orElseGet(() -> Mono.error(failure));
        });
    }

    /** Whether the request passes through for every user, so that the principal need not be resolved. */
    private boolean passesForEveryUser(ServerWebExchange exchange) {
        return SafeMethods.contains(exchange.getRequest().getMethod().name())
                && gate.admit(ReactiveRequestHead.of(exchange.getRequest(), null)) instanceof Admission.PassThrough;
    }

    private static Mono<Optional<String>> user(ServerWebExchange exchange) {
        return exchange.getPrincipal()
                .filter(principal -> !principal.getClass().getName().equals(ANONYMOUS))
                .map(Principal::getName)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
    }

    private Mono<Void> protect(RoutePolicy policy, RequestView head, ServerWebExchange exchange, WebFilterChain chain) {
        return ReactiveRequestBody.read(exchange, policy.maxRequestBody())
                .flatMap(body -> body.isEmpty()
                        ? ReactiveAnswerWriter.write(gate.bodyTooLarge(policy, head), exchange.getResponse())
                        : Mono.deferContextual(context -> {
                            ClientDelivery delivery = new ClientDelivery();
                            new Claiming(policy, head, body.get(), exchange, chain, context).decide(delivery);
                            return delivery.toClient();
                        }));
    }

    /** A request from its claim to the decision. It cannot be cancelled: a claim without an execution would be stuck. */
    private final class Claiming {

        private final RoutePolicy policy;
        private final RequestView view;
        private final ReactiveBufferedRequest request;
        private final Map<String, List<String>> outerHeaders;
        private final ServerWebExchange exchange;
        private final WebFilterChain chain;
        private final ContextView context;

        Claiming(
                RoutePolicy policy,
                RequestView head,
                Body body,
                ServerWebExchange exchange,
                WebFilterChain chain,
                ContextView context) {
            this.policy = policy;
            this.request = new ReactiveBufferedRequest(exchange.getRequest(), body);
            this.view = head.withBody(body)
                    .withOwn(() -> new CallerExchange(
                            new ProtectedExchange(exchange, request, exchange.getResponse(), codecs), context));
            this.outerHeaders =
                    ReactiveRequestHead.copyOf(exchange.getResponse().getHeaders());
            this.exchange = exchange;
            this.chain = chain;
            this.context = context;
        }

        void decide(ClientDelivery delivery) {
            Mono.defer(() -> Mono.fromCompletionStage(gate.claimAsync(policy, view)))
                    .subscribeOn(Schedulers.boundedElastic())
                    .publishOn(Schedulers.parallel())
                    .subscribe(decision -> act(decision, delivery), delivery::fail);
        }

        private void act(Decision decision, ClientDelivery delivery) {
            if (decision instanceof Decision.Reply reply) {
                delivery.give(ReactiveAnswerWriter.write(reply.answer(), exchange.getResponse()));
            } else if (decision instanceof Decision.Proceed proceed) {
                exchange.getAttributes().put(ATTEMPT, proceed.run().attempt());
                new HandlerExecution(
                                proceed.run(),
                                exchange.getResponse(),
                                outerHeaders,
                                delivery,
                                () -> ReactiveRoutingFailures.isNotRouted(exchange))
                        .start(chain, held -> new ProtectedExchange(exchange, request, held, codecs), context);
            } else {
                delivery.give(Mono.defer(() -> {
                    exchange.getResponse().getHeaders().set(Answer.PROTECTED, "false");
                    return passThrough(new ProtectedExchange(exchange, request, exchange.getResponse(), codecs), chain);
                }));
            }
        }
    }
}
