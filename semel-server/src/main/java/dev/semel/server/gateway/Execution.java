package dev.semel.server.gateway;

import dev.semel.http.Body;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import dev.semel.http.HeldBody;
import dev.semel.http.Run;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.function.Consumer;

/**
 * One execution of a protected request by the service, from the dispatch to the last byte of the answer.
 *
 * <ol>
 *   <li>The answer is held until it is complete. Then it is recorded, and only then sent.
 *   <li>An answer larger than what is kept is recorded without its body when that shows, and then passed on as it arrives.
 *   <li>Without an answer in time the outcome is unknown, and the client gets that answer. The answer is still waited for: if it
 *       arrives after all, it settles the outcome.
 *   <li>A client that leaves changes nothing of this.
 * </ol>
 *
 * <p>Everything runs on the event loop of the request; results of the store return to it.
 */
final class Execution implements Dispatch.Receiver {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    private enum Phase {
        /** What has arrived of the answer is held. */
        HOLDING,
        /** The answer turned out to be too large, and that is being recorded; nothing is read meanwhile. */
        OVERFLOWING,
        /** What arrives is passed on. */
        STREAMING,
        /** What arrives is discarded. */
        DISCARDING,
        /** The client got the answer that the outcome is unknown; an answer still counts. */
        LATE,
        ENDED
    }

    private final Run run;
    private final Route route;
    private final Context context;
    private final ClientAnswer client;
    private final Runnable whenOver;
    private final Dispatch dispatch;
    private final HeldBody held;
    private Phase phase = Phase.HOLDING;
    private long timer;
    private int status;
    private Headers headers = Headers.NONE;
    private String declaredLength = "";
    private boolean toldUnknown;
    private Runnable lateAnswer = () -> {};
    private boolean lateTooLarge;
    private boolean truncated;
    private boolean arriving;
    private boolean heldBack;

    /** @param whenOver runs once, when nothing is waited for any more */
    Execution(Run run, Route route, Context context, ClientAnswer client, Runnable whenOver) {
        this.run = run;
        this.route = route;
        this.context = context;
        this.client = client;
        this.whenOver = whenOver;
        this.dispatch = new Dispatch(route.upstream(), this);
        this.held = new HeldBody(run.policy().maxHeldResponse());
    }

    void start(ForwardedHead head, Buffer body) {
        timer = context.owner().setTimer(route.config().timeouts().answer().toMillis(), late -> timeOut());
        dispatch.start(head, body);
    }

    @Override
    public void notSent(String reason) {
        if (phase != Phase.HOLDING) {
            // Refused after the client got the answer for an unknown outcome: it stays unknown, which cannot be undone
            // here.
            over();
            return;
        }
        settle(new HandlerResult.NotExecuted(reason), this::answer);
    }

    @Override
    public void head(HttpClientResponse head) {
        status = head.statusCode();
        headers = HopByHop.endToEnd(head.headers());
        String length = head.getHeader("Content-Length");
        declaredLength = length == null ? "" : length;
    }

    @Override
    public void data(Buffer bytes) {
        switch (phase) {
            case HOLDING -> {
                if (!hold(bytes)) {
                    overflow(bytes);
                }
            }
            case LATE -> lateTooLarge |= !hold(bytes);
            case STREAMING -> pass(bytes);
            case DISCARDING -> arriving = true;
            default -> {
                // The last bytes of an answer that is not waited for any more.
            }
        }
    }

    private boolean hold(Buffer bytes) {
        byte[] chunk = bytes.getBytes();
        return held.hold(chunk, 0, chunk.length);
    }

    private void overflow(Buffer next) {
        phase = Phase.OVERFLOWING;
        context.owner().cancelTimer(timer);
        dispatch.pause();
        settled(new HandlerResult.TooLarge(status, headers), ending -> {
            if (ending instanceof Ending.Replacement replacement) {
                client.send(replacement.answer());
                phase = Phase.DISCARDING;
            } else {
                phase = Phase.STREAMING;
                client.whenGone(this::readOn);
                client.begin(status, headers.replacedBy(ending.headers()), declaredLength);
                client.write(Buffer.buffer(held.toBody().bytes()));
                client.write(next);
                held.clear();
            }
            if (truncated) {
                lost("upstream_connection_lost");
            } else {
                awaitMore();
                dispatch.resume();
            }
        });
    }

    /** Gives up an answer that was recorded without its body, and of which nothing more arrives. */
    private void awaitMore() {
        arriving = false;
        timer = context.owner().setTimer(route.config().timeouts().answer().toMillis(), due -> {
            if (arriving || heldBack) {
                awaitMore();
            } else {
                dispatch.abandon();
                lost("upstream_stalled");
            }
        });
    }

    private void pass(Buffer bytes) {
        arriving = true;
        client.write(bytes);
        if (client.isBehind()) {
            heldBack = true;
            dispatch.pause();
            client.whenReady(this::readOn);
        }
    }

    private void readOn() {
        heldBack = false;
        dispatch.resume();
    }

    @Override
    public void end(MultiMap received) {
        Headers trailers = received.isEmpty() ? Headers.NONE : HopByHop.endToEnd(received);
        switch (phase) {
            case HOLDING -> complete(trailers);
            case LATE -> {
                settleLate(trailers);
                over();
            }
            case STREAMING -> {
                client.end(trailers);
                over();
            }
            default -> over();
        }
    }

    private void settleLate(Headers trailers) {
        if (GrpcCall.isIncomplete(status, headers, trailers)) {
            return;
        }
        Body body = lateTooLarge ? null : held.toBody();
        lateAnswer = () -> run.settleLate(status, headers, body, trailers);
        if (toldUnknown) {
            lateAnswer.run();
        }
    }

    private void complete(Headers trailers) {
        if (GrpcCall.isIncomplete(status, headers, trailers)) {
            settle(new HandlerResult.Undetermined("grpc_status_missing"), this::answer);
            return;
        }
        Body body = held.toBody();
        settle(
                new HandlerResult.Responded(status, headers, body, null, trailers),
                ending -> answerOr(
                        ending, () -> client.send(status, headers.replacedBy(ending.headers()), body, trailers)));
    }

    @Override
    public void lost(String reason) {
        switch (phase) {
            case HOLDING -> settle(new HandlerResult.Undetermined(reason), this::answer);
            case OVERFLOWING -> truncated = true;
            case STREAMING -> {
                LOG.log(System.Logger.Level.WARNING, "the answer of a protected request ended early: {0}", reason);
                client.abort();
                over();
            }
            default -> over();
        }
    }

    private void timeOut() {
        if (phase != Phase.HOLDING) {
            return;
        }
        if (!dispatch.isSent()) {
            dispatch.abandon();
            settle(new HandlerResult.NotExecuted("connect_timeout"), this::answer);
            return;
        }
        phase = Phase.LATE;
        settled(new HandlerResult.Undetermined("upstream_timeout"), ending -> {
            answer(ending);
            toldUnknown = true;
            lateAnswer.run();
        });
        timer = context.owner().setTimer(route.config().timeouts().lateAnswer().toMillis(), never -> {
            if (phase == Phase.LATE) {
                dispatch.abandon();
                over();
            }
        });
    }

    private void answer(Ending ending) {
        answerOr(ending, client::abort);
    }

    private void answerOr(Ending ending, Runnable asProduced) {
        if (ending instanceof Ending.Replacement replacement) {
            client.send(replacement.answer());
        } else {
            asProduced.run();
        }
    }

    /** Settles, and ends with that. */
    private void settle(HandlerResult result, Consumer<Ending> then) {
        phase = Phase.ENDED;
        settled(result, ending -> {
            then.accept(ending);
            over();
        });
    }

    private void settled(HandlerResult result, Consumer<Ending> then) {
        run.settle(result).whenComplete((ending, never) -> context.runOnContext(back -> then.accept(ending)));
    }

    private void over() {
        phase = Phase.ENDED;
        context.owner().cancelTimer(timer);
        whenOver.run();
    }
}
