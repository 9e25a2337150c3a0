package dev.semel.jaxrs;

import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The filter that claims for requests whose resource method was chosen, or answers them in its place. */
final class ClaimFilter implements ContainerRequestFilter {

    private final Gate gate;

    /** Injected once; it answers for the request of the calling thread. Quarkus REST injects nothing into our filters. */
    @Context
    private @Nullable ResourceInfo resource;

    ClaimFilter(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void filter(ContainerRequestContext request) throws IOException {
        if (Exchange.of(request).isPresent()) {
            return;
        }
        RequestView head = RequestHead.of(request);
        Admission admission = gate.admit(head);
        if (admission instanceof Admission.Protect protect) {
            protect(protect.policy(), head, request);
        } else if (admission instanceof Admission.Reply reply) {
            answer(reply.answer(), request);
        } else if (admission instanceof Admission.Status) {
            answer(gate.status(head.withOwn(() -> request)), request);
        }
    }

    private void protect(RoutePolicy policy, RequestView head, ContainerRequestContext request) throws IOException {
        QuarkusRequest quarkus = QuarkusRequest.of(request).orElse(null);
        refuseUnrecordable(quarkus == null ? injected() : quarkus.resource());
        if (quarkus != null && !quarkus.mayBlock()) {
            throw new IllegalStateException(
                    "the method of a protected route runs on an event loop, which the store would"
                            + " block; nothing was executed. Annotate the method with @Blocking");
        }
        Optional<Body> body = RequestBody.read(request, policy.maxRequestBody());
        if (body.isEmpty()) {
            answer(gate.bodyTooLarge(policy, head), request);
            return;
        }
        Decision decision = gate.claim(policy, head.withBody(body.get()).withOwn(() -> request));
        if (decision instanceof Decision.Reply reply) {
            answer(reply.answer(), request);
        } else if (decision instanceof Decision.Proceed proceed) {
            Exchange.running(proceed.run()).attachTo(request);
            SemelFeature.show(request, proceed.run().attempt());
        } else {
            Exchange.unprotected().attachTo(request);
        }
    }

    private ResourceInfo injected() {
        if (resource == null) {
            throw new IllegalStateException(
                    "it cannot be told which resource method was chosen for a protected request;"
                            + " nothing was executed. SemelFeature supports Jersey, RESTEasy and Quarkus REST");
        }
        return resource;
    }

    private static void refuseUnrecordable(ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        if (method == null) {
            return;
        }
        UnrecordableMethods.reason(resource.getResourceClass(), method).ifPresent(reason -> {
            throw new IllegalStateException(method + " is on a protected route, but " + reason
                    + ", so that its response cannot be recorded; nothing was executed."
                    + " Return the whole response, or leave the route unprotected");
        });
    }

    /** The response filters run for an aborted request, too: the last of them puts the answer into the response. */
    private static void answer(Answer answer, ContainerRequestContext request) {
        Exchange.answered(answer).attachTo(request);
        request.abortWith(Response.status(answer.status()).build());
    }
}
