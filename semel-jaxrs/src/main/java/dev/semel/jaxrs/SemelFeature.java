package dev.semel.jaxrs;

import dev.semel.Attempt;
import dev.semel.http.Gate;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import java.util.Optional;

/**
 * The Jakarta REST feature that makes the routes of a {@link Gate} safe to retry, for methods that return, that return a
 * {@code CompletionStage}, or that resume an {@code AsyncResponse}. Register one instance in the application:
 *
 * <pre>{@code
 * new ResourceConfig(PaymentResource.class).register(new SemelFeature(gate));
 * }</pre>
 *
 * <ol>
 *   <li>After a resource method was chosen, and after filters that authenticate, a request filter reads the body and claims.
 *       Requests that match no method use up no key.
 *   <li>The response is held in memory, from the last response filter and the outermost writer interceptor on.
 *   <li>The record is settled, and only then is anything sent.
 *   <li>An exception without an {@code ExceptionMapper} of the application is mapped here, so that it settles, too.
 * </ol>
 */
public final class SemelFeature implements Feature {

    /**
     * The priority of the request filter: after all usual ones, also those that authenticate and do not say so. A request is
     * answered from its record here.
     */
    public static final int REQUEST_PRIORITY = Priorities.USER + 1000;

    /**
     * The priority of the last response filter and of the outermost writer interceptor. What others with a higher number
     * produce is recorded; those with a lower number see every response, also replays.
     */
    public static final int RESPONSE_PRIORITY = 100;

    private static final int FIRST_RESPONSE_FILTER = Integer.MAX_VALUE;

    private static final String ATTEMPT = Attempt.class.getName();

    private final Gate gate;

    /** @throws IllegalArgumentException when a route is in a transaction, which this transport does not support */
    public SemelFeature(Gate gate) {
        if (gate.hasTransactions()) {
            throw new IllegalArgumentException(
                    "a route is in a transaction, but Jakarta REST gives no place that encloses a resource method;"
                            + " use the servlet filter for that route");
        }
        this.gate = gate;
    }

    /**
     * The attempt that a protected request runs in, for code that derives keys from it or declares its outcome. It is a
     * property of the request under the name of its type, and with a servlet container an attribute of the servlet request.
     */
    public static Optional<Attempt> attempt(ContainerRequestContext request) {
        return request.getProperty(ATTEMPT) instanceof Attempt attempt ? Optional.of(attempt) : Optional.empty();
    }

    static void show(ContainerRequestContext request, Attempt attempt) {
        request.setProperty(ATTEMPT, attempt);
    }

    @Override
    public boolean configure(FeatureContext context) {
        // A priority for a provider: Jersey ignores those for its contracts.
        context.register(new ClaimFilter(gate), REQUEST_PRIORITY);
        context.register(new FailureFilter(gate), FIRST_RESPONSE_FILTER);
        context.register(new SettleFilter(), RESPONSE_PRIORITY);
        context.register(new SettleInterceptor(), RESPONSE_PRIORITY);
        for (ExceptionMapper<?> mapper : List.of(
                new FailureMapper.OfAll(),
                new FailureMapper.OfNotExecuted(),
                new FailureMapper.OfOutcomeUnknown(),
                new FailureMapper.OfRefused(),
                new FailureMapper.OfStore())) {
            context.register(mapper);
        }
        return true;
    }
}
