package dev.semel.http.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.ResponseHead;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;

/** Sends whole responses on an exchange to which nothing was sent before. */
final class AnswerWriter {

    private AnswerWriter() {}

    static void write(Answer answer, HttpExchange exchange) throws IOException {
        answer.applyTo(new Head(exchange.getResponseHeaders()));
        send(answer.status(), answer.body(), exchange);
    }

    static void send(int status, Body body, HttpExchange exchange) throws IOException {
        // The server drains what was not read of a request, but only if its body was asked for.
        exchange.getRequestBody();
        boolean toHead = exchange.getRequestMethod().equals("HEAD");
        if (toHead && Answer.canHaveBody(status)) {
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.size()));
        }
        if (toHead || !Answer.canHaveBody(status) || body.size() == 0) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.size());
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body.bytes());
        }
    }

    private record Head(Headers headers) implements ResponseHead {

        /** The server takes the status with the length of the body, when all headers are set. */
        @Override
        public void setStatus(int status) {}

        @Override
        public Collection<String> values(String name) {
            return headers.getOrDefault(name, List.of());
        }

        @Override
        public void set(String name, String value) {
            headers.set(name, value);
        }

        @Override
        public void add(String name, String value) {
            headers.add(name, value);
        }
    }
}
