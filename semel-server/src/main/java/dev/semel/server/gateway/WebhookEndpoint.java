package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookRequest;
import dev.semel.server.gateway.settle.ProviderEvents;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resource at which a provider delivers events that settle outcomes of a route. Nothing of a delivery is forwarded.
 *
 * <p>The body is read up to a limit, as it comes. The signature is verified and the store asked on a worker, since both take
 * time.
 */
final class WebhookEndpoint {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** What the receiver takes, and one byte more, which shows it that there is more. */
    private static final int LONGEST_BODY = (1 << 20) + 1;

    /** How much of a body that is too long is still read, so that the sender sees the answer. */
    private static final int DISCARDED_BYTES = 8 << 20;

    private final Route route;
    private final ProviderEvents events;

    WebhookEndpoint(Route route, ProviderEvents events) {
        this.route = route;
        this.events = events;
    }

    Route route() {
        return route;
    }

    void receive(Exchange exchange) {
        exchange.client().as(RequestOutcome.WEBHOOK);
        if (exchange.request().method().name().equals("POST")) {
            new Delivery(exchange).read();
        } else {
            refuse(
                    exchange,
                    new Answer(405, plain().with("Allow", "POST"), Body.ofText("only POST delivers events\n")));
        }
    }

    /** Answers, and reads no body that a client held back. */
    private static void refuse(Exchange exchange, Answer answer) {
        if (exchange.request().getHeader("Expect") != null) {
            exchange.client().closeAfter();
        }
        exchange.client().send(answer);
    }

    private static Headers plain() {
        return Headers.of("Content-Type", "text/plain; charset=utf-8").with("Cache-Control", "no-store");
    }

    private static Answer answerOf(WebhookAnswer answer) {
        Headers headers = answer.retryAfterSeconds()
                .map(seconds -> plain().with("Retry-After", seconds))
                .orElseGet(WebhookEndpoint::plain);
        return new Answer(answer.status(), headers, Body.ofText(answer.text() + "\n"));
    }

    /** One delivery on its way in. */
    private final class Delivery {

        private final Exchange exchange;
        private final HttpServerRequest request;
        private final Context context;
        private final Buffer body = Buffer.buffer();
        private long discarded;
        private boolean over;

        private Delivery(Exchange exchange) {
            this.exchange = exchange;
            this.request = exchange.request();
            this.context = exchange.context();
        }

        private void read() {
            if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
                request.response().writeContinue();
            }
            long timer =
                    context.owner().setTimer(route.config().timeouts().request().toMillis(), late -> giveUp());
            request.handler(this::take);
            request.endHandler(end -> {
                context.owner().cancelTimer(timer);
                verify();
            });
            request.exceptionHandler(left -> context.owner().cancelTimer(timer));
        }

        private void take(Buffer bytes) {
            if (over) {
                discarded += bytes.length();
                if (discarded > DISCARDED_BYTES) {
                    request.connection().close();
                }
                return;
            }
            body.appendBuffer(bytes, 0, Math.min(bytes.length(), LONGEST_BODY - body.length()));
            if (body.length() == LONGEST_BODY) {
                verify();
            }
        }

        private void giveUp() {
            if (!over) {
                over = true;
                exchange.client().closeAfter();
                exchange.client().send(GatewayProblems.tooSlow());
            }
        }

        private void verify() {
            if (over) {
                return;
            }
            over = true;
            WebhookRequest delivery = new WebhookRequest(headers(), body.getBytes());
            exchange.begun();
            context.executeBlocking(() -> events.receive(delivery), false).onComplete(this::answer, failure -> {
                LOG.log(System.Logger.Level.ERROR, "the event of a provider could not be handled", failure);
                exchange.client()
                        .send(new Answer(
                                503, plain().with("Retry-After", "5"), Body.ofText("not now; send it again\n")));
                exchange.over();
            });
        }

        private void answer(WebhookAnswer answer) {
            exchange.client().send(answerOf(answer));
            exchange.over();
        }

        private Map<String, List<String>> headers() {
            Map<String, List<String>> headers = new LinkedHashMap<>();
            for (String name : request.headers().names()) {
                headers.put(name, request.headers().getAll(name));
            }
            return headers;
        }
    }
}
