package dev.semel.messaging.webhook.servlet;

import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.webhook.WebhookAnswer;
import dev.semel.messaging.webhook.WebhookEvent;
import dev.semel.messaging.webhook.WebhookReceiver;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A servlet that receives the webhooks of a sender. No filter before it may read the body or the request's parameters. */
public final class WebhookServlet extends HttpServlet {

    private final transient WebhookReceiver receiver;
    private final transient MessageHandler<? super WebhookEvent> handler;

    public WebhookServlet(WebhookReceiver receiver, MessageHandler<? super WebhookEvent> handler) {
        this.receiver = receiver;
        this.handler = handler;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        WebhookAnswer answer = receiver.receive(headersOf(request), request.getInputStream(), handler);
        response.setStatus(answer.status());
        answer.retryAfterSeconds().ifPresent(seconds -> response.setHeader("Retry-After", seconds));
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print(answer.text());
    }

    private static Map<String, List<String>> headersOf(HttpServletRequest request) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }
}
