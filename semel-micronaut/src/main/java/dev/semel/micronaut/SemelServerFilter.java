package dev.semel.micronaut;

import dev.semel.Attempt;
import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.SafeMethods;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.web.router.RouteAttributes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The filter that makes the routes of a {@link Gate} safe to retry on Micronaut's HTTP server. Micronaut finds filters by their
 * annotation, so that an application extends it:
 *
 * <pre>{@code
 * @Filter(Filter.MATCH_ALL_PATTERN)
 * class Idempotency extends SemelServerFilter {
 *     Idempotency(Gate gate, MessageBodyHandlerRegistry bodies, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
 *         super(gate, bodies, blocking);
 *     }
 * }
 * }</pre>
 *
 * <ol>
 *   <li>Requests that match no route use up no key.
 *   <li>It never blocks an event loop: the store is called, and the controller runs, on the executor.
 *   <li>From the claim on, a client that disconnects cancels nothing.
 *   <li>The response is encoded and its record is settled before it is given to the server.
 * </ol>
 */
public class SemelServerFilter implements HttpServerFilter {

    /** After filters that authenticate, also those that say nothing of their order. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final String ATTEMPT = Attempt.class.getName();

    private final Gate gate;
    private final ResponseEncoder encoder;
    private final Executor blocking;

    /**
     * @param bodies with which the server writes bodies
     * @param blocking runs code that may block
     * @throws IllegalArgumentException when a route is in a transaction, which this transport does not support
     */
    public SemelServerFilter(Gate gate, MessageBodyHandlerRegistry bodies, Executor blocking) {
        if (gate.hasTransactions()) {
            throw new IllegalArgumentException(
                    "a route is in a transaction, which belongs to one thread, but a controller of"
                            + " Micronaut may answer on any; call executeInTransaction in the controller");
        }
        this.gate = gate;
        this.encoder = new ResponseEncoder(bodies);
        this.blocking = blocking;
    }

    /** The attempt that a protected request runs in, for code that derives keys from it or declares its outcome. */
    public static Optional<Attempt> attempt(HttpRequest<?> request) {
        return request.getAttribute(ATTEMPT, Attempt.class);
    }

    @Override
    public int getOrder() {
        return DEFAULT_ORDER;
    }

    @Override
    public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
        RequestView head = RequestHead.of(request);
        Admission admission = gate.admit(head);
        if (admission instanceof Admission.Status) {
            return Mono.fromCallable(() -> gate.status(head.withOwn(() -> request)))
                    .subscribeOn(Schedulers.fromExecutor(blocking))
                    .map(AnswerResponse::of);
        }
        boolean routed = SafeMethods.contains(head.method())
                || RouteAttributes.getRouteMatch(request).isPresent();
        if (admission instanceof Admission.PassThrough || !routed) {
            return passThrough(head, request, chain);
        }
        if (admission instanceof Admission.Reply reply) {
            return Mono.just(AnswerResponse.of(reply.answer()));
        }
        return protect(((Admission.Protect) admission).policy(), head, request, chain);
    }

    /** Runs a controller without protection. A call that it makes to the engine itself may be refused. */
    private Mono<MutableHttpResponse<?>> passThrough(
            RequestView head, HttpRequest<?> request, ServerFilterChain chain) {
        return Mono.<MutableHttpResponse<?>>from(chain.proceed(request))
                .map(response -> RouteAttributes.getException(response)
                        .flatMap(failure -> gate.refusalOf(failure, head))
                        .<MutableHttpResponse<?>>map(AnswerResponse::of)
                        .orElse(response));
    }

    private Mono<MutableHttpResponse<?>> protect(
            RoutePolicy policy, RequestView head, HttpRequest<?> request, ServerFilterChain chain) {
        return RequestBody.read(request, policy.maxRequestBody()).flatMap(body -> {
            if (body.isEmpty()) {
                return Mono.just(AnswerResponse.of(gate.bodyTooLarge(policy, head)));
            }
            PropagatedContext context = PropagatedContext.getOrEmpty();
            CompletableFuture<MutableHttpResponse<?>> sending = new CompletableFuture<>();
            blocking.execute(() -> claim(
                    policy,
                    head.withBody(body.get()).withOwn(() -> request),
                    sending,
                    decision -> context.wrap(() -> act(decision, request, chain, sending))
                            .run()));
            // A client that disconnects leaves; what runs for it goes on.
            return Mono.fromFuture(sending, true);
        });
    }

    private interface Action {
        void on(Decision decision);
    }

    private void claim(
            RoutePolicy policy, RequestView view, CompletableFuture<MutableHttpResponse<?>> sending, Action action) {
        gate.claimAsync(policy, view).thenAcceptAsync(action::on, blocking).whenComplete((nothing, failure) -> {
            if (failure != null) {
                sending.completeExceptionally(failure);
            }
        });
    }

    private void act(
            Decision decision,
            HttpRequest<?> request,
            ServerFilterChain chain,
            CompletableFuture<MutableHttpResponse<?>> sending) {
        if (decision instanceof Decision.Reply reply) {
            sending.complete(AnswerResponse.of(reply.answer()));
        } else if (decision instanceof Decision.Proceed proceed) {
            request.setAttribute(ATTEMPT, proceed.run().attempt());
            new ControllerExecution(proceed.run(), encoder, blocking, sending)
                    .start(Mono.defer(() -> Mono.from(chain.proceed(request))));
        } else {
            passThrough(RequestHead.of(request), request, chain)
                    .doOnNext(response -> response.header(Answer.PROTECTED, "false"))
                    .subscribe(sending::complete, sending::completeExceptionally);
        }
    }
}
