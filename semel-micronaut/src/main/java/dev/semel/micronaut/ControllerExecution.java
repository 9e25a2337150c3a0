package dev.semel.micronaut;

import dev.semel.adapter.RunningAttempt;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Run;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.web.router.RouteAttributes;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One execution of a controller, from the claim to what is given to the server. It settles once, and only then answers. */
final class ControllerExecution {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final Run run;
    private final ResponseEncoder encoder;
    private final Executor blocking;
    private final CompletableFuture<MutableHttpResponse<?>> sending;

    ControllerExecution(
            Run run, ResponseEncoder encoder, Executor blocking, CompletableFuture<MutableHttpResponse<?>> sending) {
        this.run = run;
        this.encoder = encoder;
        this.blocking = blocking;
        this.sending = sending;
    }

    /** Runs the controller on the calling thread, and settles on the executor. Nothing cancels it. */
    void start(Mono<MutableHttpResponse<?>> controller) {
        RunningAttempt.Entered entered = run.enter();
        try {
            controller
                    .publishOn(Schedulers.fromExecutor(blocking))
                    .subscribe(
                            this::end,
                            failure -> settle(new HandlerResult.Failed(failure), null, failure),
                            () -> settle(new HandlerResult.Undetermined("no_response"), null, null));
        } catch (Throwable fatal) {
            // Reactor rethrows errors that it considers fatal for the JVM instead of signalling them.
            settle(new HandlerResult.Failed(fatal), null, fatal);
            throw fatal;
        } finally {
            entered.leave();
        }
    }

    private void end(MutableHttpResponse<?> response) {
        Throwable failure = RouteAttributes.getException(response).orElse(null);
        if (failure != null && response.code() == HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
            settle(new HandlerResult.Failed(failure), response, failure);
            return;
        }
        HandlerResult result;
        try {
            result = encoder.encode(response, run.policy().maxHeldResponse(), failure);
        } catch (RuntimeException notEncodable) {
            settle(new HandlerResult.Failed(notEncodable), null, notEncodable);
            return;
        }
        settle(result, response, null);
    }

    private void settle(HandlerResult result, @Nullable MutableHttpResponse<?> response, @Nullable Throwable failure) {
        if (sending.isDone()) {
            return;
        }
        Ending ending = run.settleAndWait(result);
        if (ending instanceof Ending.Replacement replacement) {
            sending.complete(AnswerResponse.of(replacement.answer()));
        } else if (response != null) {
            ending.headers().forEach(line -> response.getHeaders().set(line.name(), line.value()));
            sending.complete(response);
        } else {
            LOG.log(Level.ERROR, "a controller failed; its failure is not recorded", failure);
            sending.completeExceptionally(failure == null ? new IllegalStateException("no response") : failure);
        }
    }
}
