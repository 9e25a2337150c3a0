package dev.semel.http;

import dev.semel.Response;
import java.util.Optional;

/**
 * A response as it is recorded and replayed: status, header lines in their order, body, and trailers.
 *
 * <p>A resolver, a webhook receiver or an operator that has evidence of an unknown outcome settles it with the response that
 * the request would have had, and retries get that as if the handler had given it:
 *
 * <pre>{@code
 * Headers headers = Headers.of("Content-Type", "application/json").with("Location", "/payments/7");
 * Response response = RecordedResponse.of(201, headers, Body.ofText(json)).toResponse();
 * semel.settle(operation, identity, new Verdict.Happened(response, "statement 7"), "bank");
 * }</pre>
 *
 * @param headers without those that {@link ReplayHeaders} keeps out
 * @param retained false when the response was too large to keep: status and headers are then all there is
 * @param trailers the fields that followed the body, without those that {@link ReplayHeaders} keeps out; a transport that cannot
 *     send them does not replay the response
 */
public record RecordedResponse(int status, Headers headers, Body body, boolean retained, Headers trailers) {

    public RecordedResponse {
        if (status < 100 || status > 999) {
            throw new IllegalArgumentException("an HTTP status has three digits, " + status + " does not");
        }
        headers = ReplayHeaders.keepable(headers);
        trailers = ReplayHeaders.keepable(trailers);
    }

    /** A response with all of its body. The caller applies the limit of its route. */
    public static RecordedResponse of(int status, Headers headers, Body body) {
        return new RecordedResponse(status, headers, body, true, Headers.NONE);
    }

    /** A response whose body is too large or not available: retries are answered that the request was executed, and no more. */
    public static RecordedResponse notRetained(int status, Headers headers) {
        return new RecordedResponse(status, headers, Body.EMPTY, false, Headers.NONE);
    }

    /** The form in which the response is stored, also for {@link dev.semel.reconcile.Verdict.Happened}. */
    public Response toResponse() {
        return Response.of(ResponseFormat.write(this));
    }

    /** Reads the stored form; empty when the bytes are not a response, or of a version that this release cannot read. */
    public static Optional<RecordedResponse> from(Response stored) {
        return ResponseFormat.read(stored.bytes());
    }

    @Override
    public String toString() {
        return "recorded response " + status + " of " + body + (retained ? "" : ", not retained");
    }
}
