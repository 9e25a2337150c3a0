package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.glassfish.jersey.server.ChunkedOutput;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Methods whose response cannot be recorded")
class UnrecordableMethodsTest {

    private static final class EventChunks extends ChunkedOutput<String> {}

    @SuppressWarnings("unused")
    private static final class Methods {

        void events(SseEventSink sink) {}

        @Produces({MediaType.APPLICATION_JSON, MediaType.SERVER_SENT_EVENTS})
        Response declaresEvents() {
            return Response.ok().build();
        }

        Flow.Publisher<String> publisher() {
            return subscriber -> {};
        }

        EventChunks chunks() {
            return new EventChunks();
        }

        void servletResponse(HttpServletResponse response) {}

        Response whole(String body) {
            return Response.ok(body).build();
        }

        CompletionStage<String> stage() {
            return null;
        }

        StreamingOutput streamingOutput() {
            return out -> {};
        }
    }

    @SuppressWarnings("unused")
    private static class WithField {

        @Context
        HttpServletResponse response;
    }

    private static final class Inheriting extends WithField {

        void inherited() {}
    }

    private static Method method(Class<?> resource, String name) {
        return Arrays.stream(resource.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "declaresEvents", "publisher", "chunks", "servletResponse"})
    void are_known_by_their_signature(String name) {
        assertThat(UnrecordableMethods.reason(Methods.class, method(Methods.class, name)))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = "inherited")
    void are_known_by_the_fields_of_their_class(String name) {
        assertThat(UnrecordableMethods.reason(Inheriting.class, method(Inheriting.class, name)))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"whole", "stage", "streamingOutput"})
    void are_not_those_that_return_the_whole_response(String name) {
        assertThat(UnrecordableMethods.reason(Methods.class, method(Methods.class, name)))
                .isEmpty();
    }
}
