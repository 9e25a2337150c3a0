package dev.semel.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The call as the handler of a protected call sees it: its answer is held back, and its client seems to wait. It takes and
 * refuses what the real call does. One thread at a time uses it.
 */
final class HeldCall<ReqT, RespT> extends SimpleForwardingServerCall<ReqT, RespT> {

    private final Consumer<Reply> onClose;
    private volatile @Nullable Metadata headers;
    private volatile byte @Nullable [] message;
    private volatile boolean tooMany;

    /** @param onClose gets the answer when the handler has closed the call, each time that it does */
    HeldCall(ServerCall<ReqT, RespT> real, Consumer<Reply> onClose) {
        super(real);
        this.onClose = onClose;
    }

    /** The request has been received whole. */
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata sent) {
        if (headers != null) {
            throw new IllegalStateException("the headers were sent before");
        }
        headers = sent;
    }

    @Override
    public void sendMessage(RespT sent) {
        if (headers == null) {
            throw new IllegalStateException("the headers were not sent before the message");
        }
        tooMany = message != null;
        message = RecordedReply.bytesOf(getMethodDescriptor().streamResponse(sent));
    }

    @Override
    public boolean isReady() {
        return true;
    }

    /** A client that has gone is no reason to stop: its retry wants the answer. */
    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        Metadata sent = headers;
        byte[] held = message;
        if (!status.isOk()) {
            onClose.accept(new Reply(sent == null ? new Metadata() : sent, null, status, trailers));
        } else if (sent == null || held == null) {
            onClose.accept(broken("Completed without a response"));
        } else if (tooMany) {
            onClose.accept(broken("Too many responses"));
        } else {
            onClose.accept(new Reply(sent, held, status, trailers));
        }
    }

    /** What gRPC itself answers for such a handler. */
    private static Reply broken(String description) {
        return Reply.failure(Status.INTERNAL.withDescription(description), new Metadata());
    }
}
