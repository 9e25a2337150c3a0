package dev.semel.server.gateway;

import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.Profile;
import dev.semel.http.ResponseHead;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The answer to one request, on its way to a client that may have left: then nothing happens. */
final class ClientAnswer {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** Called once, when a request is over. */
    interface Observer {

        /**
         * The request is over.
         *
         * @param complete whether the client has its whole answer
         */
        void over(ClientAnswer client, boolean complete);
    }

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final boolean grpc;
    private final Observer observer;
    private final Deadlines.Deadline taking;
    private Runnable whenGone = () -> {};
    private boolean gone;
    private boolean failed;
    private boolean closeAfter;
    private boolean over;
    private RequestOutcome outcome = RequestOutcome.PASSED;
    private @Nullable Answer own;

    /** @param stalls how long the client may leave what is sent to it */
    ClientAnswer(HttpServerRequest request, StallLimit stalls, Observer observer) {
        this.request = request;
        this.response = request.response();
        this.grpc = GrpcCall.isIn(request);
        this.observer = observer;
        this.taking = stalls.of(this::giveUp);
        response.closeHandler(closed -> closed());
        response.exceptionHandler(this::fail);
        response.endHandler(sent -> sent());
    }

    /** In HTTP/2 a stream is closed after every answer, before the handler of its end is called. */
    private void closed() {
        if (!isHttp1() && response.ended() && !failed) {
            sent();
        } else {
            leave();
        }
    }

    /** The connection is about to be closed. A client whose body could not be read gets that answer; it may still read. */
    private void fail(Throwable cause) {
        boolean unreadable = isHttp1() && !request.isEnded() && !(cause instanceof HttpClosedException);
        if (unreadable && !response.headWritten()) {
            closeAfter();
            send(GatewayProblems.malformedBody());
        }
        failed = true;
        leave();
    }

    private void sent() {
        over(true);
        if (closeAfter) {
            request.connection().close();
        }
    }

    /** The connection, which had become that of another protocol, is closed. */
    void left() {
        over(true);
    }

    private void leave() {
        over(false);
        if (!gone) {
            gone = true;
            whenGone.run();
        }
    }

    private void over(boolean complete) {
        if (!over) {
            over = true;
            taking.cancel();
            observer.over(this, complete);
        }
    }

    /** Runs this when the client leaves before it has its answer, or now if it has left. */
    void whenGone(Runnable action) {
        whenGone = action;
        if (gone) {
            action.run();
        }
    }

    boolean isGone() {
        return gone || response.closed() || response.ended();
    }

    /** Has the connection closed after the answer; in HTTP/2 other requests share it, and only the stream ends. */
    void closeAfter() {
        if (isHttp1() && !isGone()) {
            response.putHeader("Connection", "close");
            closeAfter = true;
        }
    }

    boolean isHttp1() {
        return request.version() == HttpVersion.HTTP_1_1 || request.version() == HttpVersion.HTTP_1_0;
    }

    boolean isGrpc() {
        return grpc;
    }

    /** Says what becomes of the request; an answer of the protocol itself can say more. */
    void as(RequestOutcome expected) {
        outcome = expected;
    }

    /** What became of the request. */
    RequestOutcome outcome() {
        Answer answer = own;
        if (answer == null || outcome == RequestOutcome.STATUS || outcome == RequestOutcome.WEBHOOK) {
            return outcome;
        }
        return isReplay(answer) ? RequestOutcome.REPLAYED : RequestOutcome.ofCode(code());
    }

    /** The code of a refusal; empty when there is none. */
    String code() {
        Answer answer = own;
        return answer == null || isReplay(answer) ? "" : ProblemView.of(answer).code();
    }

    /** The status that was sent; 0 when none was. */
    int statusSent() {
        return response.headWritten() ? response.getStatusCode() : 0;
    }

    static boolean isReplay(Answer answer) {
        return answer.headers().first(Answer.REPLAYED).isPresent()
                || answer.headers().first(Profile.STRIPE.replayed()).isPresent();
    }

    /** Sends an answer of the protocol. */
    void send(Answer answer) {
        own = answer;
        if (isGone()) {
            return;
        }
        Answer understood = grpc ? GrpcAnswers.of(answer) : answer;
        understood.applyTo(new Head(response));
        sendBody(understood.status(), understood.body(), understood.trailers());
    }

    /** Sends an answer of the service that is complete. */
    void send(int status, Headers headers, Body body, Headers trailers) {
        if (!isGone()) {
            putHead(status, headers);
            sendBody(status, body, trailers);
        }
    }

    private void sendBody(int status, Body body, Headers trailers) {
        if (!trailers.lines().isEmpty()) {
            if (isHttp1()) {
                response.setChunked(true);
            }
            write(Buffer.buffer(body.bytes()));
            end(trailers);
        } else if (!Answer.canHaveBody(status) || (grpc && body.size() == 0)) {
            // In gRPC an answer that has only headers must end with them.
            ending(response.end());
        } else {
            ending(response.end(Buffer.buffer(body.bytes())));
        }
    }

    /**
     * Begins an answer whose body follows.
     *
     * @param length what the service declared; empty for nothing
     */
    void begin(int status, Headers headers, String length) {
        if (isGone()) {
            return;
        }
        putHead(status, headers);
        if (!length.isEmpty()) {
            response.putHeader("Content-Length", length);
        } else if (isHttp1() && Answer.canHaveBody(status)) {
            response.setChunked(true);
        }
    }

    private void putHead(int status, Headers headers) {
        response.setStatusCode(status);
        MultiMap sent = response.headers();
        headers.forEach(line -> sent.add(line.name(), line.value()));
    }

    /** Sends the head of an answer that was begun, before there is anything of its body. */
    void sendHead() {
        if (!isGone()) {
            observed(response.writeHead());
        }
    }

    void write(Buffer bytes) {
        if (!isGone() && bytes.length() > 0) {
            observed(response.write(bytes));
        }
    }

    /** Writes the last bytes of an answer without trailers. */
    void end(Buffer bytes) {
        if (!isGone()) {
            ending(response.end(bytes));
        }
    }

    /** Whether the client is behind; {@link #whenReady} says when it has caught up. */
    boolean isBehind() {
        return !isGone() && response.writeQueueFull();
    }

    /** Runs this when the client has taken what was sent. One that takes too long loses its connection. */
    void whenReady(Runnable action) {
        taking.renew();
        response.drainHandler(drained -> {
            taking.cancel();
            action.run();
        });
    }

    void end(Headers trailers) {
        if (isGone()) {
            return;
        }
        trailers.forEach(line -> response.trailers().add(line.name(), line.value()));
        ending(response.end());
    }

    private void ending(Future<Void> sending) {
        if (!over) {
            taking.renew();
        }
        observed(sending);
    }

    /** The client does not take its answer. */
    private void giveUp() {
        if (isHttp1()) {
            ForcedClose.of(request.connection());
        } else {
            response.reset();
        }
    }

    /** Ends an answer in a way that no client takes for its regular end. */
    void abort() {
        if (gone || response.closed()) {
            return;
        }
        if (isHttp1()) {
            request.connection().close();
        } else {
            response.reset();
        }
    }

    private static void observed(Future<Void> sending) {
        sending.onFailure(failure -> LOG.log(System.Logger.Level.DEBUG, "a client left before its answer was sent"));
    }

    /** Status and headers of the server's response. */
    private record Head(HttpServerResponse response) implements ResponseHead {

        @Override
        public void setStatus(int status) {
            response.setStatusCode(status);
        }

        @Override
        public Collection<String> values(String name) {
            return response.headers().getAll(name);
        }

        @Override
        public void set(String name, String value) {
            response.headers().set(name, value);
        }

        @Override
        public void add(String name, String value) {
            response.headers().add(name, value);
        }
    }
}
