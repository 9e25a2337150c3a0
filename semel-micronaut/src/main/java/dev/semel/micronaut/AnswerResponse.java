package dev.semel.micronaut;

import dev.semel.http.Answer;
import dev.semel.http.Headers;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;

/** Makes a response of Micronaut from an answer of the protocol. */
final class AnswerResponse {

    private AnswerResponse() {}

    static MutableHttpResponse<?> of(Answer answer) {
        MutableHttpResponse<Object> response = HttpResponse.status(answer.status(), null);
        for (Headers.Line line : answer.headers()) {
            response.getHeaders().add(line.name(), line.value());
        }
        return Answer.canHaveBody(answer.status()) && answer.body().size() > 0
                ? response.body(answer.body().bytes())
                : response;
    }
}
