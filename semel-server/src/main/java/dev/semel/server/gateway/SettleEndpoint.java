package dev.semel.server.gateway;

import dev.semel.Operation;
import dev.semel.admin.settle.Settlements;
import dev.semel.admin.settle.Settlements.Result;
import dev.semel.admin.settle.Settlements.Settlement;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Answer;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.SettleToken;
import dev.semel.server.gateway.settle.SettleRequest;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The resource at which a service settles outcomes itself: {@code POST} with a bearer token and JSON.
 *
 * <p>The token is checked before the body is read. The store is asked on a worker, since that blocks.
 */
final class SettleEndpoint {

    static final String PATH = "/semel/api/v1/settle";

    /** Whose evidence it is. */
    private static final String SOURCE = "service";

    /** What a route keeps of an answer at most by default, twice, since JSON escapes. */
    private static final int LONGEST_BODY = 2 << 20;

    private static final String BEARER = "bearer ";

    private final SemelEngine semel;
    private final Settlements settlements;
    private final Supplier<GatewayConfig> current;

    /** @param current the configuration in force */
    SettleEndpoint(SemelEngine semel, Supplier<GatewayConfig> current) {
        this.semel = semel;
        this.settlements = new Settlements(semel);
        this.current = current;
    }

    void handle(HttpServerRequest request) {
        SettleToken token = current.get().settling().token();
        if (!request.method().name().equals("POST")) {
            request.response().putHeader("Allow", "POST");
            send(request, SettleAnswers.of(405, "settle_method", "Only POST settles", ""));
        } else if (token == null) {
            send(request, SettleAnswers.off());
        } else if (!isAuthorized(request, token)) {
            request.response().putHeader("WWW-Authenticate", "Bearer");
            send(request, SettleAnswers.unauthorized());
        } else {
            read(request);
        }
    }

    private static boolean isAuthorized(HttpServerRequest request, SettleToken token) {
        String given = request.getHeader("Authorization");
        return given != null
                && given.toLowerCase(Locale.ROOT).startsWith(BEARER)
                && token.matches(given.substring(BEARER.length()).strip());
    }

    private void read(HttpServerRequest request) {
        Buffer body = Buffer.buffer();
        request.handler(bytes -> {
            if (body.length() <= LONGEST_BODY) {
                body.appendBuffer(bytes);
            }
            if (body.length() > LONGEST_BODY && !request.response().headWritten()) {
                request.response().putHeader("Connection", "close");
                send(request, SettleAnswers.of(413, "settle_too_large", "The request is too large", ""));
            }
        });
        request.endHandler(end -> {
            if (body.length() <= LONGEST_BODY) {
                settle(request, body.getBytes());
            }
        });
    }

    private void settle(HttpServerRequest request, byte[] json) {
        SettleRequest asked;
        try {
            asked = SettleJson.parse(json);
        } catch (IllegalArgumentException e) {
            send(request, SettleAnswers.invalid(String.valueOf(e.getMessage())));
            return;
        }
        Context context = Vertx.currentContext();
        context.executeBlocking(() -> settlements.settle(settlementOf(asked), this::retentionOf), false)
                .onComplete(
                        result -> send(request, answerTo(asked, result)),
                        failure -> send(request, SettleAnswers.storeFailed()));
    }

    private Settlement settlementOf(SettleRequest asked) {
        return new Settlement(semel.stored(asked.sent()), asked.fence(), asked.verdict(), SOURCE);
    }

    private Duration retentionOf(String operation) {
        return current.get().routes().stream()
                .flatMap(route -> route.policy() == null
                        ? Stream.<Operation>empty()
                        : Stream.of(route.policy().operation()))
                .filter(known -> known.name().equals(operation))
                .map(Operation::retention)
                .findFirst()
                .orElse(Settlements.Retentions.standard());
    }

    private static Answer answerTo(SettleRequest asked, Result result) {
        if (result instanceof Result.Settled settled) {
            return SettleAnswers.settled(settled.state().label(), asked.fence());
        }
        if (result instanceof Result.FenceChanged changed) {
            return SettleAnswers.fenceChanged(changed.state().label(), changed.fence());
        }
        if (result instanceof Result.InProgress running) {
            return SettleAnswers.inProgress(running.leaseRemaining());
        }
        if (result instanceof Result.SettledOtherwise otherwise) {
            return SettleAnswers.settledOtherwise(otherwise.state().label());
        }
        return SettleAnswers.noSuchRecord();
    }

    private static void send(HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(line -> response.putHeader(line.name(), line.value()));
        response.end(Buffer.buffer(answer.body().bytes()));
    }
}
