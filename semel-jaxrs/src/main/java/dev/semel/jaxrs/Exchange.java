package dev.semel.jaxrs;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import dev.semel.http.Run;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request that the gate has decided about, from the decision to the last byte: a property of the request.
 *
 * <ol>
 *   <li>A request that was answered in place of its method has its answer from the beginning.
 *   <li>A request whose method runs is settled once: by its exception, by its response without an entity, by the entity when
 *       it is complete or grows beyond what is recorded, or by the failure to write it.
 *   <li>A response is processed again when processing it failed. The second time, the exchange may have been settled.
 * </ol>
 *
 * <p>One thread at a time processes a response, not always that of the request.
 */
final class Exchange {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");
    private static final String PROPERTY = Exchange.class.getName();

    private final @Nullable Run run;
    private volatile boolean open;
    private volatile @Nullable Answer answer;

    /** Sent with what the method produced. */
    private volatile Headers promised = Headers.NONE;

    private volatile @Nullable CarriedFailure failure;
    private volatile @Nullable ContainerResponseContext response;
    private volatile boolean inFilters;
    private volatile @Nullable QuarkusRequest quarkus;

    private Exchange(@Nullable Run run, @Nullable Answer answer) {
        this.run = run;
        this.open = run != null;
        this.answer = answer;
    }

    static Exchange running(Run run) {
        return new Exchange(run, null);
    }

    static Exchange answered(Answer answer) {
        return new Exchange(null, answer);
    }

    /** A request whose method runs without protection, since the store is unavailable and its route fails open. */
    static Exchange unprotected() {
        return new Exchange(null, null);
    }

    static Optional<Exchange> of(ContainerRequestContext request) {
        return request.getProperty(PROPERTY) instanceof Exchange exchange ? Optional.of(exchange) : Optional.empty();
    }

    static Optional<Exchange> of(WriterInterceptorContext entity) {
        return entity.getProperty(PROPERTY) instanceof Exchange exchange ? Optional.of(exchange) : Optional.empty();
    }

    void attachTo(ContainerRequestContext request) {
        quarkus = QuarkusRequest.of(request).orElse(null);
        request.setProperty(PROPERTY, this);
    }

    /** Whether the method runs under a claim that is not settled yet. */
    boolean isOpen() {
        return open;
    }

    /** Whether the method runs without protection. */
    boolean isUnprotected() {
        return run == null && answer == null;
    }

    /** The answer that is sent in place of what the method produced; null where that is sent. */
    @Nullable
    Answer answer() {
        return answer;
    }

    /** The longest body that is held. */
    int limit() {
        return running().policy().maxHeldResponse();
    }

    /**
     * Begins to process a response. If the response filters failed before, they may fail again, so that the exchange is settled
     * at once.
     */
    void enterFilters(@Nullable CarriedFailure carried) {
        failure = carried;
        if (open && inFilters) {
            settle(
                    carried == null
                            ? new HandlerResult.Undetermined("response_filter_failed")
                            : new HandlerResult.Failed(carried.failure()));
        }
        inFilters = true;
    }

    /** Ends the response filters, and settles a response that has no body to wait for. */
    void leaveFilters(ContainerResponseContext processed) {
        inFilters = false;
        response = processed;
        if (!open) {
            return;
        }
        HandlerResult result = resultWithoutBody(processed);
        if (result != null) {
            settle(result);
        }
    }

    private @Nullable HandlerResult resultWithoutBody(ContainerResponseContext processed) {
        CarriedFailure carried = failure;
        if (carried != null && carried.isTimeout()) {
            return new HandlerResult.Undetermined("async_timeout");
        }
        if (carried != null && carried.isUnreadableMediaType()) {
            return new HandlerResult.NotRouted();
        }
        if (carried != null && !carried.answered()) {
            return new HandlerResult.Failed(carried.failure());
        }
        if (UnrecordableMethods.isStream(processed.getEntity())) {
            LOG.log(
                    Level.ERROR,
                    "the response to a protected request is a stream that is sent in parts, which cannot be recorded:"
                            + " leave its route unprotected");
            return new HandlerResult.Undetermined("streamed_response");
        }
        return processed.hasEntity() ? null : responded(processed, Body.EMPTY);
    }

    /** Settles a response whose body is complete. */
    void complete(Body body) {
        settle(responded(writing(), body));
    }

    /** Settles a response whose body is longer than what is recorded, before any of it is sent. */
    void tooLarge() {
        settle(new HandlerResult.TooLarge(writing().getStatus(), headers(writing())));
    }

    /** Settles a response that could not be written. */
    void failed(Throwable thrown) {
        settle(new HandlerResult.Failed(thrown));
    }

    /**
     * Puts the answer into a response of which nothing has been sent, in place of all that is in it; where there is none, the
     * headers that go with the method's own response.
     */
    void putAnswer() {
        Answer sent = answer;
        if (sent != null) {
            ResponseAnswer.put(sent, writing());
        } else {
            promised.forEach(line -> writing().getHeaders().putSingle(line.name(), line.value()));
        }
    }

    /** Like {@link #putAnswer}, for a response whose entity was written, though not sent. */
    void putAnswerAfterWriting() {
        Set<String> before = Set.copyOf(writing().getHeaders().keySet());
        putAnswer();
        QuarkusRequest onQuarkus = quarkus;
        if (onQuarkus != null && answer != null) {
            onQuarkus.copyHead(writing(), before);
        } else if (onQuarkus != null) {
            onQuarkus.setHeaders(promised);
        }
    }

    /** Whether the innermost writer has to be called for an entity to be sent. */
    boolean needsWriter() {
        return quarkus != null;
    }

    private HandlerResult responded(ContainerResponseContext processed, Body body) {
        CarriedFailure carried = failure;
        return new HandlerResult.Responded(
                processed.getStatus(), headers(processed), body, carried == null ? null : carried.failure());
    }

    private static Headers headers(ContainerResponseContext processed) {
        return RequestHead.lines(processed.getStringHeaders());
    }

    /** Settles on the calling thread, which has nothing else to do until the response may be sent. */
    private void settle(HandlerResult result) {
        open = false;
        Ending ending = running().settleAndWait(result);
        promised = ending.headers();
        if (ending instanceof Ending.Replacement replacement) {
            answer = replacement.answer();
        } else if (result instanceof HandlerResult.Failed unrecorded) {
            LOG.log(Level.ERROR, "a resource method failed; its failure is not recorded", unrecorded.failure());
        }
    }

    private Run running() {
        if (run == null) {
            throw new IllegalStateException(
                    "the request was answered without its method, so there is nothing to settle");
        }
        return run;
    }

    private ContainerResponseContext writing() {
        ContainerResponseContext processed = response;
        if (processed == null) {
            throw new IllegalStateException("a response is written that no response filter has seen");
        }
        return processed;
    }
}
