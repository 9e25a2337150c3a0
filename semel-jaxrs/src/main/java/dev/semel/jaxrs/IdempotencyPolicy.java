package dev.semel.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/**
 * The resource that publishes the policy of every route, at the path {@code /idempotency/policy}. {@link SemelFeature} answers in
 * its place where its gate has that policy path; the class only makes the path known to the implementation.
 */
@Path("idempotency/policy")
public class IdempotencyPolicy {

    /** Answers 404 where {@link SemelFeature} is not registered, or its gate has another policy path or none. */
    @GET
    public Response policy() {
        return Response.status(Response.Status.NOT_FOUND).build();
    }
}
