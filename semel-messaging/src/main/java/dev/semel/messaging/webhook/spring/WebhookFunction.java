package dev.semel.messaging.webhook.spring;

import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A handler function of Spring MVC that receives the webhooks of a sender. No filter before it may read the body or the
 * request's parameters.
 *
 * <pre>{@code
 * @Bean
 * RouterFunction<ServerResponse> webhooks(WebhookReceiver receiver, Invoices invoices) {
 *     return RouterFunctions.route()
 *             .POST("/webhooks/billing", new WebhookFunction(receiver, (event, attempt) -> invoices.paid(event.body())))
 *             .build();
 * }
 * }</pre>
 */
public final class WebhookFunction implements HandlerFunction<ServerResponse> {

    private final WebhookReceiver receiver;
    private final MessageHandler<? super WebhookEvent> handler;

    public WebhookFunction(WebhookReceiver receiver, MessageHandler<? super WebhookEvent> handler) {
        this.receiver = receiver;
        this.handler = handler;
    }

    @Override
    public ServerResponse handle(ServerRequest request) throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        request.headers().asHttpHeaders().forEach(headers::put);
        WebhookAnswer answer =
                receiver.receive(headers, request.servletRequest().getInputStream(), handler);
        ServerResponse.BodyBuilder response =
                ServerResponse.status(answer.status()).contentType(MediaType.TEXT_PLAIN);
        answer.retryAfterSeconds().ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
        return response.body(answer.text());
    }
}
