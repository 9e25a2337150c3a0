package dev.semel.jaxrs;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.RefusedException;
import dev.semel.StoreException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.jspecify.annotations.Nullable;

/**
 * Maps exceptions that the application leaves to the implementation, which would send its answer before the record is settled.
 * The response filters decide about the answer; here the exception is only handed to them.
 *
 * <p>There is a mapper for each exception of Semel, so that a general mapper of the application does not take it: the most
 * specific one is chosen. A mapper of the application for the same exception goes before ours, whose priority is in an
 * annotation, because RESTEasy reads no other. Each names its exception itself, because Quarkus REST looks no further.
 */
abstract class FailureMapper<T extends Throwable> implements ExceptionMapper<T> {

    private static final int LAST = Integer.MAX_VALUE;

    private static final String RESTEASY_FAILURE = "org.jboss.resteasy.spi.Failure";

    @Priority(LAST)
    static final class OfAll extends FailureMapper<Throwable> implements ExceptionMapper<Throwable> {}

    @Priority(LAST)
    static final class OfNotExecuted extends FailureMapper<NotExecutedException>
            implements ExceptionMapper<NotExecutedException> {}

    @Priority(LAST)
    static final class OfOutcomeUnknown extends FailureMapper<OutcomeUnknownException>
            implements ExceptionMapper<OutcomeUnknownException> {}

    @Priority(LAST)
    static final class OfRefused extends FailureMapper<RefusedException> implements ExceptionMapper<RefusedException> {}

    @Priority(LAST)
    static final class OfStore extends FailureMapper<StoreException> implements ExceptionMapper<StoreException> {}

    @Override
    public Response toResponse(T failure) {
        Response own = responseOf(failure);
        return own == null
                ? CarriedFailure.in(Response.serverError(), failure, false)
                : CarriedFailure.in(copyOf(own), failure, true);
    }

    /** A response that cannot be read any more, such as a closed one of a client, still has its status. */
    private static Response.ResponseBuilder copyOf(Response response) {
        try {
            return Response.fromResponse(response);
        } catch (IllegalStateException closed) {
            return Response.status(response.getStatusInfo());
        }
    }

    private static @Nullable Response responseOf(Throwable failure) {
        return failure instanceof WebApplicationException exception ? exception.getResponse() : ofResteasy(failure);
    }

    /** RESTEasy's own failures bring a response, such as that to {@code OPTIONS}, and ask a general mapper first. */
    private static @Nullable Response ofResteasy(Throwable failure) {
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(RESTEASY_FAILURE)) {
                try {
                    Response own = (Response) type.getMethod("getResponse").invoke(failure);
                    int status = (int) type.getMethod("getErrorCode").invoke(failure);
                    return own != null || status < 0
                            ? own
                            : Response.status(status).build();
                } catch (ReflectiveOperationException e) {
                    return null;
                }
            }
        }
        return null;
    }
}
