package dev.semel.grpc;

import dev.semel.Response;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it is recorded, and what a resolver settles an unknown call with:
 *
 * <pre>{@code
 * Response response = RecordedReply.ok(PaymentsGrpc.getChargeMethod(), receipt).toResponse();
 * semel.settle(operation, identity, new Verdict.Happened(response, "statement 7"), "bank");
 * }</pre>
 */
public final class RecordedReply {

    private final Reply reply;
    private final boolean retained;

    RecordedReply(Reply reply, boolean retained) {
        Metadata headers = ReplayMetadata.keepable(reply.headers());
        Metadata trailers = ReplayMetadata.keepable(reply.trailers());
        this.reply = new Reply(headers, reply.message(), reply.status(), trailers);
        this.retained = retained;
    }

    /** A message with status {@code OK}. */
    public static <T> RecordedReply ok(MethodDescriptor<?, T> method, T message) {
        return new RecordedReply(
                new Reply(new Metadata(), bytesOf(method.streamResponse(message)), Status.OK, new Metadata()), true);
    }

    /** A status other than {@code OK}, such as a decline. */
    public static RecordedReply failure(Status status, Metadata trailers) {
        if (status.isOk()) {
            throw new IllegalArgumentException("a recorded failure has the status OK; record its message instead");
        }
        return new RecordedReply(Reply.failure(status, trailers), true);
    }

    /** An answer whose message is too large or not available: retries are answered that the call was executed, and no more. */
    public static RecordedReply notRetained() {
        return new RecordedReply(Reply.failure(Status.OK, new Metadata()), false);
    }

    /** The form in which the answer is stored. */
    public Response toResponse() {
        return Response.of(ReplyFormat.write(this));
    }

    /** Reads the stored form; empty when the bytes are no answer, or of a version that this release cannot read. */
    public static Optional<RecordedReply> from(Response stored) {
        return ReplyFormat.read(stored.bytes());
    }

    public Status status() {
        return reply.status();
    }

    /** The bytes of the message, not a copy: never change them. Null where there is none. */
    public byte @Nullable [] message() {
        return reply.message();
    }

    /** Whether the answer can be replayed. */
    public boolean retained() {
        return retained;
    }

    Reply reply() {
        return reply;
    }

    static byte[] bytesOf(InputStream message) {
        try (message) {
            return message.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("a message could not be written as bytes", e);
        }
    }

    @Override
    public String toString() {
        return "recorded " + reply + (retained ? "" : ", not retained");
    }
}
