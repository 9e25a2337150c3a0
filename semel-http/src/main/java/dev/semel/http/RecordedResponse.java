package dev.semel.http;

import dev.semel.Response;
import java.util.Optional;

/**
 * A response as it is recorded and replayed: status, header lines in their order, and body.
 *
 * <p>A reconciler that found out that an operation happened records this as its response, in the form that
 * {@link #toResponse()} gives it.
 *
 * @param headers without those that {@link ReplayHeaders} keeps out
 * @param retained false when the response was too large to keep: status and headers are then all there is
 */
public record RecordedResponse(int status, Headers headers, Body body, boolean retained) {

    public RecordedResponse {
        if (status < 100 || status > 999) {
            throw new IllegalArgumentException("an HTTP status has three digits, " + status + " does not");
        }
        headers = ReplayHeaders.keepable(headers);
    }

    public static RecordedResponse of(int status, Headers headers, Body body) {
        return new RecordedResponse(status, headers, body, true);
    }

    /** What is kept of a response whose body is too large. */
    public static RecordedResponse notRetained(int status, Headers headers) {
        return new RecordedResponse(status, headers, Body.EMPTY, false);
    }

    /** The form in which the response is stored. */
    public Response toResponse() {
        return Response.of(ResponseFormat.write(this));
    }

    /** Reads the stored form; nothing when the bytes are none, or of a version that this release does not know. */
    public static Optional<RecordedResponse> from(Response stored) {
        return ResponseFormat.read(stored.bytes());
    }

    @Override
    public String toString() {
        return "recorded response " + status + " of " + body + (retained ? "" : ", not retained");
    }
}
