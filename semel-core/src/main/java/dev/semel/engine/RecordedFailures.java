package dev.semel.engine;

import dev.semel.RecordedFailureException;
import dev.semel.Response;
import java.nio.charset.StandardCharsets;

/** How an exception lies in a response: its class name, a line break, its message. */
final class RecordedFailures {

    private RecordedFailures() {}

    static Response encode(Throwable failure) {
        String text = failure.getClass().getName() + "\n" + (failure.getMessage() == null ? "" : failure.getMessage());
        return Response.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static RecordedFailureException decode(Response response) {
        String text = new String(response.bytes(), StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        return new RecordedFailureException(text.substring(0, end), text.substring(end + 1));
    }
}
