package dev.semel.http.servlet;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.ResponseHead;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes an answer of the protocol to the container's response, to which nothing was written before. */
final class AnswerWriter {

    private AnswerWriter() {}

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        answer.applyTo(new ServletHead(response));
        writeBody(answer.status(), answer.body(), response);
    }

    private record ServletHead(HttpServletResponse response) implements ResponseHead {

        @Override
        public void setStatus(int status) {
            response.setStatus(status);
        }

        @Override
        public Collection<String> values(String name) {
            return response.getHeaders(name);
        }

        @Override
        public void set(String name, String value) {
            if (name.equalsIgnoreCase("Content-Type")) {
                response.setContentType(value);
            } else {
                response.setHeader(name, value);
            }
        }

        @Override
        public void add(String name, String value) {
            if (name.equalsIgnoreCase("Content-Type")) {
                response.setContentType(value);
            } else {
                response.addHeader(name, value);
            }
        }
    }

    /**
     * Writes an answer in place of what a handler has written and not sent. Headers stay, as they do with
     * {@code sendError}, but for those of its content.
     */
    static void writeInstead(Answer answer, HttpServletResponse response) throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            if (!name.toLowerCase(Locale.ROOT).startsWith("content-")) {
                headers.put(name, List.copyOf(response.getHeaders(name)));
            }
        }
        response.reset();
        headers.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        write(answer, response);
    }

    static void writeBody(int status, Body body, HttpServletResponse response) throws IOException {
        if (!Answer.canHaveBody(status)) {
            return;
        }
        response.setContentLength(body.size());
        if (body.size() > 0) {
            response.getOutputStream().write(body.bytes());
        }
    }
}
