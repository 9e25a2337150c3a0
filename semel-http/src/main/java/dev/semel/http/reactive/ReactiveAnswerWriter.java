package dev.semel.http.reactive;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.ResponseHead;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes an answer of the protocol to the server's response, to which nothing was written before. */
final class ReactiveAnswerWriter {

    private ReactiveAnswerWriter() {}

    static Mono<Void> write(Answer answer, ServerHttpResponse response) {
        return Mono.defer(() -> {
            answer.applyTo(new ReactiveHead(response));
            return writeBody(answer.status(), answer.body(), response);
        });
    }

    private record ReactiveHead(ServerHttpResponse response) implements ResponseHead {

        @Override
        public void setStatus(int status) {
            response.setStatusCode(HttpStatusCode.valueOf(status));
        }

        @Override
        public Collection<String> values(String name) {
            return ReactiveRequestHead.lines(response.getHeaders()).all(name);
        }

        @Override
        public void set(String name, String value) {
            response.getHeaders().set(name, value);
        }

        @Override
        public void add(String name, String value) {
            response.getHeaders().add(name, value);
        }
    }

    /**
     * Removes the headers with such names. The methods of {@link HttpHeaders} that find and remove one differ between Spring 6
     * and 7; those used here are in both.
     */
    static void remove(HttpHeaders headers, Predicate<String> names) {
        Map<String, List<String>> kept = new LinkedHashMap<>();
        headers.forEach((name, values) -> {
            if (!names.test(name)) {
                kept.put(name, List.copyOf(values));
            }
        });
        if (kept.size() < headers.size()) {
            headers.clear();
            kept.forEach(headers::addAll);
        }
    }

    static Mono<Void> writeBody(int status, Body body, ServerHttpResponse response) {
        boolean bodiless = !Answer.canHaveBody(status);
        if (!bodiless) {
            remove(response.getHeaders(), HttpHeaders.TRANSFER_ENCODING::equalsIgnoreCase);
            response.getHeaders().setContentLength(body.size());
        }
        return bodiless || body.size() == 0
                ? response.setComplete()
                : response.writeWith(
                        Mono.fromSupplier(() -> response.bufferFactory().wrap(body.bytes())));
    }
}
