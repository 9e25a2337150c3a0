package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer to a unary call.
 *
 * @param headers what precedes the message; empty where there is none
 * @param message the bytes of the message; null for a failure
 */
@SuppressWarnings("ArrayRecordComponent")
record Reply(Metadata headers, byte @Nullable [] message, Status status, Metadata trailers) {

    static Reply failure(Status status, Metadata trailers) {
        return new Reply(new Metadata(), null, status, trailers);
    }

    /** This answer to a later call. */
    Reply replayed() {
        Metadata marked = new Metadata();
        marked.merge(trailers);
        marked.put(IdempotencyMetadata.REPLAYED, "true");
        return new Reply(headers, message, status, marked);
    }

    /** The code of the status, never the content. */
    @Override
    public String toString() {
        return "reply " + status.getCode() + " of " + (message == null ? 0 : message.length) + " bytes";
    }
}
