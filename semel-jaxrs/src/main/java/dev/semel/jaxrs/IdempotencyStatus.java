package dev.semel.jaxrs;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/**
 * The resource that answers the state of a key, at the default status path. {@link SemelFeature} answers in its place, after
 * authentication; the class only makes the path known to the implementation.
 */
@Path("idempotency/status")
public class IdempotencyStatus {

    /** Answers 404 where {@link SemelFeature} is not registered, or has another status path. */
    @GET
    public Response status() {
        return Response.status(Response.Status.NOT_FOUND).build();
    }
}
