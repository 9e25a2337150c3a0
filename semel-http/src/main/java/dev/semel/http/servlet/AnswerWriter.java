package dev.semel.http.servlet;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes an answer of the protocol to the container's response, to which nothing was written before. */
final class AnswerWriter {

    private AnswerWriter() {}

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        Set<String> seen = new HashSet<>();
        for (Headers.Line line : answer.headers()) {
            String name = line.name().toLowerCase(Locale.ROOT);
            if (name.equals("content-type")) {
                response.setContentType(line.value());
            } else if (name.equals("vary")) {
                addUnlessThere(response, line);
            } else if (seen.add(name)) {
                response.setHeader(line.name(), line.value());
            } else {
                response.addHeader(line.name(), line.value());
            }
        }
        writeBody(answer.status(), answer.body(), response);
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

    /** What an outer filter varies on still holds: a list of {@code Vary} is only ever added to. */
    private static void addUnlessThere(HttpServletResponse response, Headers.Line line) {
        if (!response.getHeaders(line.name()).contains(line.value())) {
            response.addHeader(line.name(), line.value());
        }
    }

    static void writeBody(int status, Body body, HttpServletResponse response) throws IOException {
        boolean bodiless = status < 200 || status == 204 || status == 304;
        if (!bodiless) {
            response.setContentLength(body.size());
        }
        if (body.size() > 0 && !bodiless) {
            response.getOutputStream().write(body.bytes());
        }
    }
}
