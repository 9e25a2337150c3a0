package dev.semel.http.reactive;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes an answer of the protocol to the server's response, to which nothing was written before. */
final class ReactiveAnswerWriter {

    private ReactiveAnswerWriter() {}

    static Mono<Void> write(Answer answer, ServerHttpResponse response) {
        return Mono.defer(() -> {
            response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
            Set<String> seen = new HashSet<>();
            for (Headers.Line line : answer.headers()) {
                if (line.name().equalsIgnoreCase(HttpHeaders.VARY)) {
                    addUnlessThere(response.getHeaders(), line);
                } else if (seen.add(line.name().toLowerCase(Locale.ROOT))) {
                    response.getHeaders().set(line.name(), line.value());
                } else {
                    response.getHeaders().add(line.name(), line.value());
                }
            }
            return writeBody(answer.status(), answer.body(), response);
        });
    }

    /** What an outer filter varies on still holds: a list of {@code Vary} is only ever added to. */
    private static void addUnlessThere(HttpHeaders headers, Headers.Line line) {
        if (!headers.getOrEmpty(line.name()).contains(line.value())) {
            headers.add(line.name(), line.value());
        }
    }

    static Mono<Void> writeBody(int status, Body body, ServerHttpResponse response) {
        boolean bodiless = status < 200 || status == 204 || status == 304;
        if (!bodiless) {
            response.getHeaders().remove(HttpHeaders.TRANSFER_ENCODING);
            response.getHeaders().setContentLength(body.size());
        }
        return bodiless || body.size() == 0
                ? response.setComplete()
                : response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body.bytes())));
    }
}
