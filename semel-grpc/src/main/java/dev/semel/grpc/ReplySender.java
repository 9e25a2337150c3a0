package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Sends whole answers on a call to which nothing was sent before. */
final class ReplySender {

    private static final System.Logger LOG = System.getLogger("dev.semel.grpc");

    private ReplySender() {}

    /** Sends the answer, or nothing where the client has gone. */
    static <RespT> void send(Reply reply, ServerCall<?, RespT> call) {
        @Nullable RespT message;
        try {
            message = messageOf(reply, call);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    "a recorded answer of " + call.getMethodDescriptor().getFullMethodName()
                            + " cannot be read as its message any more",
                    e);
            send(Refusals.notRetained(), call);
            return;
        }
        try {
            boolean waiting = !call.isCancelled();
            if (waiting && (message != null || !reply.headers().keys().isEmpty())) {
                call.sendHeaders(copyOf(reply.headers()));
            }
            if (waiting && message != null) {
                call.sendMessage(message);
            }
            call.close(withoutCause(reply.status()), copyOf(reply.trailers()));
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "a client did not get its answer, whose outcome is recorded", e);
        }
    }

    private static <RespT> @Nullable RespT messageOf(Reply reply, ServerCall<?, RespT> call) {
        byte[] message = reply.message();
        return message == null ? null : call.getMethodDescriptor().parseResponse(new ByteArrayInputStream(message));
    }

    /** gRPC adds to the metadata that it sends. */
    private static Metadata copyOf(Metadata metadata) {
        Metadata copy = new Metadata();
        copy.merge(metadata);
        return copy;
    }

    /** The cause has been judged; nothing behind this has a use for it. */
    private static Status withoutCause(Status status) {
        return status.getCause() == null ? status : status.withCause(null);
    }
}
