package dev.semel.jaxrs;

import dev.semel.http.Answer;
import dev.semel.http.ResponseHead;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Puts an answer of the protocol into a response of which nothing has been sent yet. */
final class ResponseAnswer {

    private ResponseAnswer() {}

    /**
     * Headers that filters have set stay unless the answer has them, but for those of the content, such as
     * {@code Content-Encoding}: the content is another.
     */
    static void put(Answer answer, ContainerResponseContext response) {
        for (String name : List.copyOf(response.getHeaders().keySet())) {
            if (name.toLowerCase(Locale.ROOT).startsWith("content-")) {
                response.getHeaders().remove(name);
            }
        }
        boolean hasBody = Answer.canHaveBody(answer.status()) && answer.body().size() > 0;
        if (hasBody) {
            response.setEntity(answer.body().bytes());
        } else if (response.hasEntity()) {
            response.setEntity(null);
        }
        answer.applyTo(new Head(response));
    }

    private record Head(ContainerResponseContext response) implements ResponseHead {

        @Override
        public void setStatus(int status) {
            response.setStatus(status);
        }

        @Override
        public Collection<String> values(String name) {
            List<String> values = response.getStringHeaders().get(name);
            return values == null ? List.of() : values;
        }

        @Override
        public void set(String name, String value) {
            response.getHeaders().putSingle(name, value);
        }

        @Override
        public void add(String name, String value) {
            response.getHeaders().add(name, value);
        }
    }
}
