package dev.semel.jaxrs;

import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;

/**
 * An exception on its way from the mapper to the response filters, as the value of a header that never leaves: a mapper
 * does not see the request that it maps for.
 *
 * @param answered whether the exception brought its own response
 */
record CarriedFailure(Throwable failure, boolean answered) {

    private static final String HEADER = "Semel-Failure";

    /** The places where Jersey and RESTEasy find that no argument can be made of a body, before they call the method. */
    private static final Set<String> READERS = Set.of(
            "org.glassfish.jersey.server.spi.internal.ParameterValueHelper",
            "org.jboss.resteasy.core.interception.jaxrs.ServerReaderInterceptorContext");

    static Response in(Response.ResponseBuilder response, Throwable failure, boolean answered) {
        return response.header(HEADER, new CarriedFailure(failure, answered)).build();
    }

    /** Takes the failure out of a response. */
    static Optional<CarriedFailure> takenFrom(ContainerResponseContext response) {
        Object carried = response.getHeaders().getFirst(HEADER);
        if (carried instanceof CarriedFailure failure) {
            response.getHeaders().remove(HEADER);
            return Optional.of(failure);
        }
        return Optional.empty();
    }

    /** Whether the method was not called, because no argument can be made of a body of this media type. */
    boolean isUnreadableMediaType() {
        return failure instanceof NotSupportedException && READERS.contains(origin().getClassName());
    }

    /** Whether the implementation answered for an asynchronous method that took too long, and may still run. */
    boolean isTimeout() {
        return failure instanceof ServiceUnavailableException
                && origin().getMethodName().equals("handleTimeout")
                && (origin().getClassName().startsWith("org.glassfish.jersey.server.")
                        || origin().getClassName().startsWith("org.jboss.resteasy."));
    }

    private StackTraceElement origin() {
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length == 0 ? new StackTraceElement("", "", null, -1) : trace[0];
    }

    /** Nothing of the exception, in case it is ever sent. */
    @Override
    public String toString() {
        return "failed";
    }
}
