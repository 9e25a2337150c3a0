package dev.semel.http.reactive;

import dev.semel.http.Body;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import dev.semel.http.HeldBody;
import dev.semel.http.Run;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * One execution of a handler, from the claim to the last byte of its response.
 *
 * <ol>
 *   <li>It subscribes to the handler itself, once: a client that disconnects cancels its own subscription, never the handler.
 *   <li>It ends once: when the handler completes or fails, or when its response grows beyond what is recorded. The first of
 *       these settles, and only then the {@link ClientDelivery} gets what to send.
 *   <li>The store is called on threads that may block.
 * </ol>
 */
final class HandlerExecution {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private enum Phase {
        OPEN,
        /** Settled, and the rest of a large response goes straight to the client. */
        STREAMING,
        ENDED
    }

    private final Run run;
    private final ServerHttpResponse real;
    private final ClientDelivery delivery;
    private final BooleanSupplier notRouted;
    private final ReactiveCapturedResponse response;
    private final HeldBody held;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);
    private volatile @Nullable BodyRelay relay;

    /**
     * @param real the server's response, which is written to through the delivery only
     * @param outer the headers that earlier filters have set on it
     * @param notRouted whether Spring chose no handler; read at the end
     */
    HandlerExecution(
            Run run,
            ServerHttpResponse real,
            Map<String, List<String>> outer,
            ClientDelivery delivery,
            BooleanSupplier notRouted) {
        this.run = run;
        this.real = real;
        this.delivery = delivery;
        this.notRouted = notRouted;
        this.held = new HeldBody(run.policy().maxHeldResponse());
        this.response = new ReactiveCapturedResponse(outer, this::take);
    }

    /**
     * Starts the handler, and returns at once.
     *
     * @param exchanges makes the exchange that the handler sees from the response that it sees
     */
    void start(WebFilterChain chain, Function<ServerHttpResponse, ServerWebExchange> exchanges, ContextView context) {
        Mono<Void> handler = Mono.usingWhen(
                Mono.fromSupplier(() -> exchanges.apply(response)),
                exchange -> chain.filter(exchange).then(Mono.defer(response::setComplete)),
                exchange -> exchange.cleanupMultipart().onErrorComplete());
        Mono<Void> whole = handler.thenReturn(Optional.<Throwable>empty())
                .onErrorResume(failure -> Mono.just(Optional.of(failure)))
                .flatMap(failure -> end(failure.orElse(null)));
        try {
            whole.contextWrite(context).subscribe(nothing -> {}, this::broken);
        } catch (Throwable fatal) {
            // Reactor rethrows errors that it considers fatal for the JVM instead of signalling them.
            end(fatal).subscribe(nothing -> {}, this::broken);
            throw fatal;
        }
    }

    private void broken(Throwable unexpected) {
        LOG.log(Level.ERROR, "a protected request failed outside of its handler", unexpected);
        delivery.fail(unexpected);
    }

    /** Takes the next bytes of the response. */
    private Mono<Void> take(Body bytes) {
        if (phase.get() == Phase.OPEN) {
            if (held.hold(bytes.bytes(), 0, bytes.size())) {
                return Mono.empty();
            }
            if (phase.compareAndSet(Phase.OPEN, Phase.STREAMING)) {
                return overflow(bytes);
            }
        }
        BodyRelay streaming = relay;
        return streaming == null ? Mono.empty() : streaming.give(bytes);
    }

    /** Settles a response that grew beyond what is recorded, before any of it is sent. */
    private Mono<Void> overflow(Body next) {
        return settle(new HandlerResult.TooLarge(response.status(), response.ownHeaders()))
                .flatMap(ending -> {
                    if (ending instanceof Ending.Replacement replacement) {
                        delivery.give(ReactiveAnswerWriter.write(replacement.answer(), real));
                        return Mono.empty();
                    }
                    BodyRelay begun = new BodyRelay(delivery);
                    relay = begun;
                    delivery.give(response.streamTo(real, ending.headers(), begun.toClient()));
                    return begun.give(held.toBody()).then(begun.give(next));
                });
    }

    private Mono<Void> end(@Nullable Throwable failure) {
        if (phase.compareAndSet(Phase.STREAMING, Phase.ENDED)) {
            endStream(failure);
            return Mono.empty();
        }
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            return Mono.empty();
        }
        return failure == null ? endWithResponse() : endWithFailure(Exceptions.unwrap(failure));
    }

    private void endStream(@Nullable Throwable failure) {
        BodyRelay streaming = relay;
        if (failure != null) {
            LOG.log(Level.ERROR, "the handler of a protected request failed in the middle of its response", failure);
        }
        if (streaming == null) {
            return;
        }
        if (failure == null) {
            streaming.end();
        } else {
            streaming.fail(failure);
        }
    }

    private Mono<Void> endWithResponse() {
        Body body = held.toBody();
        return settle(new HandlerResult.Responded(response.status(), response.ownHeaders(), body, null))
                .doOnNext(ending -> delivery.give(
                        ending instanceof Ending.Replacement replacement
                                ? ReactiveAnswerWriter.write(replacement.answer(), real)
                                : response.sendTo(real, ending.headers(), body)))
                .then();
    }

    /** Nothing of what the handler wrote before it failed is sent. */
    private Mono<Void> endWithFailure(Throwable failure) {
        return settle(resultOf(failure))
                .doOnNext(ending -> {
                    if (ending instanceof Ending.Replacement replacement) {
                        delivery.give(ReactiveAnswerWriter.write(replacement.answer(), real));
                    } else {
                        delivery.fail(failure);
                    }
                })
                .then();
    }

    private HandlerResult resultOf(Throwable failure) {
        FailureStatus asked = FailureStatus.of(failure).orElse(null);
        if (asked == null) {
            return new HandlerResult.Failed(failure);
        }
        Headers headers = response.ownHeaders().without("Content-Type").without("Content-Length");
        for (Headers.Line line : ReactiveRequestHead.lines(asked.headers())) {
            headers = headers.with(line.name(), line.value());
        }
        return new HandlerResult.SentError(asked.status(), asked.message(), headers, failure);
    }

    /** Settles on a thread that may block; on the calling thread if there is none left, since it must be settled. */
    private Mono<Ending> settle(HandlerResult result) {
        HandlerResult settled = notRouted.getAsBoolean() ? new HandlerResult.NotRouted() : result;
        Mono<Ending> here = Mono.defer(() -> Mono.fromCompletionStage(run.settle(settled)));
        return here.subscribeOn(Schedulers.boundedElastic())
                .onErrorResume(RejectedExecutionException.class, full -> here)
                .publishOn(Schedulers.parallel());
    }
}
