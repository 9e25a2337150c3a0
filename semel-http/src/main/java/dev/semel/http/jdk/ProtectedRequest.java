package dev.semel.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsExchange;
import dev.semel.Attempt;
import dev.semel.adapter.RunningAttempt;
import dev.semel.http.Body;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Run;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One protected request from the claim to the last byte.
 *
 * <ol>
 *   <li>It ends once: when the handler has returned and its response is closed or whole, when the handler throws, when another
 *       thread closes the response, or when the body grows beyond what is recorded. The first of these settles.
 *   <li>A response that the handler's own thread closes ends the request only when the handler returns: code that throws closes
 *       its response first, and what it throws decides.
 *   <li>Only the thread that settled sends anything. A client that disconnects changes nothing.
 *   <li>A handler that returns without a response may answer later. Until it does, the key is in progress.
 * </ol>
 */
final class ProtectedRequest {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private enum Phase {
        OPEN,
        /** Settled, and the rest of a large response goes straight to the client. */
        STREAMING,
        ENDED
    }

    private final Run run;
    private final HttpExchange real;
    private final HeldResponse response;
    private final HttpExchange given;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);
    private volatile @Nullable Thread handling;
    private volatile boolean closedByHandler;

    ProtectedRequest(Run run, HttpExchange real, Body body) {
        this.run = run;
        this.real = real;
        this.response =
                new HeldResponse(this, real.getResponseHeaders(), run.policy().maxHeldResponse());
        HeldExchange held = new HeldExchange(real, this, body, response);
        this.given = real instanceof HttpsExchange secure ? new HeldHttpsExchange(secure, held) : held;
    }

    Attempt attempt() {
        return run.attempt();
    }

    /** Runs the handler, and what it has left to end. */
    void handleWith(HttpHandler handler) throws IOException {
        RunningAttempt.Entered entered = run.enter();
        handling = Thread.currentThread();
        try {
            handler.handle(given);
        } catch (IOException | RuntimeException | Error e) {
            if (!answeredFailure(e)) {
                if (e instanceof Error) {
                    // The server leaves the connection of a failed request open if the failure is an error.
                    real.close();
                }
                throw e;
            }
            return;
        } finally {
            handling = null;
            entered.leave();
        }
        if (closedByHandler || response.isWhole()) {
            end();
        }
    }

    /** Settles a failure of the handler; false leaves the exception to the server. */
    private boolean answeredFailure(Throwable failure) throws IOException {
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            return false;
        }
        Ending ending = run.settleAndWait(new HandlerResult.Failed(failure));
        if (ending instanceof Ending.Replacement replacement) {
            AnswerWriter.write(replacement.answer(), real);
            return true;
        }
        return false;
    }

    /** The handler has closed its response. */
    void closed() {
        if (Thread.currentThread() == handling) {
            closedByHandler = true;
            return;
        }
        try {
            end();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the client did not get its response, whose outcome is recorded", e);
            real.close();
        }
    }

    private void end() throws IOException {
        if (phase.compareAndSet(Phase.STREAMING, Phase.ENDED)) {
            real.close();
            return;
        }
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            return;
        }
        HandlerResult result = response.result();
        Ending ending = run.settleAndWait(result);
        if (ending instanceof Ending.Replacement replacement) {
            AnswerWriter.write(replacement.answer(), real);
        } else if (result instanceof HandlerResult.Failed failed) {
            throw new IOException(failed.failure());
        } else {
            response.sendTo(real, ending.headers());
        }
    }

    /**
     * Settles a response that grew beyond what is recorded, before any of it is sent.
     *
     * @return where the body goes from here, from its first byte
     */
    OutputStream overflow() throws IOException {
        if (!phase.compareAndSet(Phase.OPEN, Phase.STREAMING)) {
            return OutputStream.nullOutputStream();
        }
        Ending ending = run.settleAndWait(response.tooLarge());
        if (ending instanceof Ending.Replacement replacement) {
            phase.set(Phase.ENDED);
            AnswerWriter.write(replacement.answer(), real);
            return OutputStream.nullOutputStream();
        }
        return response.streamTo(real, ending.headers());
    }
}
