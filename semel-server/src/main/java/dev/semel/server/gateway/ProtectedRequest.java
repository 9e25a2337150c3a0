package dev.semel.server.gateway;

import dev.semel.Attempt;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Ending;
import dev.semel.http.Gate;
import dev.semel.http.HandlerResult;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Run;
import dev.semel.server.gateway.config.RouteConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One protected request from its head to the decision: its body is read up to the limit of its route, and its key claimed.
 *
 * <p>Everything runs on the event loop of the request, except that long bodies are digested on a worker.
 */
final class ProtectedRequest {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** Digesting so much takes an event loop about a millisecond; more would delay its other requests. */
    private static final int DIGESTED_ON_EVENT_LOOP = 64 << 10;

    private static final String NOT_NAMED = "names_not_recorded";

    private final Gate gate;
    private final Route route;
    private final RoutePolicy policy;
    private final HttpServerRequest request;
    private final RequestView view;
    private final ForwardedHead head;
    private final ClientAnswer client;
    private final Exchange exchange;
    private final Context context;
    private final Buffer body = Buffer.buffer();
    private long discarded;
    private boolean refused;

    ProtectedRequest(Exchange exchange, Route route, RoutePolicy policy) {
        this.gate = exchange.routing().gate();
        this.route = route;
        this.policy = policy;
        this.request = exchange.request();
        this.view = exchange.view();
        this.head = exchange.head();
        this.client = exchange.client();
        this.exchange = exchange;
        this.context = exchange.context();
    }

    /** Reads the body, and goes on when it is there. A client that leaves before has started nothing. */
    void start() {
        String declared = request.getHeader("Content-Length");
        if (declared != null && isLongerThanAllowed(declared)) {
            refuseBody();
        } else if (HopByHop.awaitsContinue(request)) {
            request.response().writeContinue();
        }
        long timer =
                context.owner().setTimer(route.config().timeouts().request().toMillis(), late -> giveUp());
        request.handler(this::take);
        request.endHandler(end -> {
            context.owner().cancelTimer(timer);
            if (!refused) {
                claim();
            }
        });
        request.exceptionHandler(left -> {
            context.owner().cancelTimer(timer);
            LOG.log(System.Logger.Level.DEBUG, "a client left before its request was read");
        });
        request.resume();
    }

    private boolean isLongerThanAllowed(String declared) {
        try {
            return Long.parseLong(declared) > policy.maxRequestBody();
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private void take(Buffer bytes) {
        if (refused) {
            discarded += bytes.length();
            if (discarded > Limits.DISCARDED_BYTES) {
                client.abort();
            }
        } else if (body.length() + (long) bytes.length() > policy.maxRequestBody()) {
            refuseBody();
        } else {
            body.appendBuffer(bytes);
        }
    }

    private void refuseBody() {
        refused = true;
        if (request.getHeader("Expect") != null) {
            // The body that the client held back would be taken for the next request.
            client.closeAfter();
        }
        client.send(gate.bodyTooLarge(policy, view));
    }

    private void giveUp() {
        if (!refused) {
            refused = true;
            client.closeAfter();
            client.send(GatewayProblems.tooSlow());
        }
    }

    private void claim() {
        if (client.isGrpc() && !GrpcCall.isOneMessage(body)) {
            client.send(GatewayProblems.streaming());
            return;
        }
        RequestView whole = view.withBody(Body.of(body.getBytes()));
        exchange.begun();
        Future<CompletionStage<Decision>> asked = body.length() <= DIGESTED_ON_EVENT_LOOP
                ? Future.succeededFuture(whole).map(this::ask)
                : context.executeBlocking(() -> ask(whole), false);
        asked.onComplete(
                stage -> stage.whenComplete((decision, failure) -> context.runOnContext(back -> {
                    if (decision == null) {
                        failed(failure);
                    } else {
                        act(decision);
                    }
                })),
                this::failed);
    }

    private CompletionStage<Decision> ask(RequestView whole) {
        exchange.note(policy, whole);
        return gate.claimAsync(policy, whole);
    }

    private void failed(Throwable failure) {
        LOG.log(System.Logger.Level.ERROR, "a request could not be claimed, and was not dispatched", failure);
        client.send(GatewayProblems.internal());
        exchange.over();
    }

    private void act(Decision decision) {
        if (decision instanceof Decision.Reply reply) {
            client.send(reply.answer());
            exchange.over();
        } else if (decision instanceof Decision.Proceed proceed) {
            begin(proceed.run());
        } else {
            request.response().putHeader(Answer.PROTECTED, "false");
            new PassThrough(exchange, route.upstream()).forward(body);
            exchange.over();
        }
    }

    /** Dispatches the request, after the names by which its outcome can be found are on record. */
    private void begin(Run run) {
        Route.Names names = route.names();
        if (names == null) {
            dispatch(run);
            return;
        }
        context.executeBlocking(
                        () -> {
                            names.record(run.attempt(), body.getBytes());
                            return run;
                        },
                        false)
                .onComplete(this::dispatch, failure -> notDispatched(run, failure));
    }

    private void dispatch(Run run) {
        client.as(RequestOutcome.RAN);
        new Execution(run, route, context, client, exchange::over).start(withExtras(run.attempt()), body);
    }

    /** A step that may be on record leaves the engine in doubt, although nothing was sent. */
    private void notDispatched(Run run, Throwable failure) {
        LOG.log(System.Logger.Level.WARNING, "the names of a request were not recorded, and it was not sent", failure);
        HandlerResult result = failure instanceof OutcomeUnknownException
                ? new HandlerResult.Undetermined(NOT_NAMED)
                : new HandlerResult.NotExecuted(NOT_NAMED);
        run.settle(result)
                .whenComplete((ending, never) -> context.runOnContext(back -> {
                    client.send(
                            ending instanceof Ending.Replacement replacement
                                    ? replacement.answer()
                                    : GatewayProblems.internal());
                    exchange.over();
                }));
    }

    private static @Nullable String asciiOrNull(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c < 0x7F) ? value : null;
    }

    private ForwardedHead withExtras(Attempt attempt) {
        ForwardedHead told = client.isGrpc() ? head.without(GrpcCall.TIMEOUT) : head;
        for (RouteConfig.Extra extra : route.config().extras()) {
            told = switch (extra) {
                case ATTEMPT -> told.with("Semel-Attempt", String.valueOf(attempt.number()));
                case FENCE ->
                    told.with("Semel-Fence", String.valueOf(attempt.lease().fence()));
                case DOWNSTREAM_KEY ->
                    told.with("Semel-Downstream-Key", attempt.downstreamKey(RouteConfig.DOWNSTREAM_PURPOSE));
                case SCOPE ->
                    told.with(
                            "Semel-Scope",
                            asciiOrNull(attempt.lease().identity().scope().value()));
            };
        }
        return told;
    }
}
