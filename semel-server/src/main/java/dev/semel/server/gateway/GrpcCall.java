package dev.semel.server.gateway;

import dev.semel.http.Headers;
import dev.semel.server.gateway.config.GrpcStatusRule;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** How calls of gRPC and their answers are told from other requests. */
final class GrpcCall {

    /** How long the client waits. It is not told to the service: a call that the service gives up on has an unknown outcome. */
    static final String TIMEOUT = "grpc-timeout";

    /** One byte that says whether the message is compressed, and four with its length. */
    private static final int PREFIX_BYTES = 5;

    private GrpcCall() {}

    static boolean isIn(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_2 && GrpcStatusRule.isMediaType(request.getHeader("Content-Type"));
    }

    /** Whether these are the headers of a call, or of an answer to one. */
    static boolean isAbout(Headers headers) {
        return GrpcStatusRule.isMediaType(headers.first("Content-Type").orElse(null));
    }

    /** Whether an answer is of gRPC and lacks its status, so that what became of the call is not known. */
    static boolean isIncomplete(int status, Headers headers, Headers trailers) {
        return status == 200
                && isAbout(headers)
                && GrpcStatusRule.statusOf(headers.and(trailers)).isEmpty();
    }

    /** Whether the body of a request is one message: a client that streams sends none or several. */
    static boolean isOneMessage(Buffer body) {
        return body.length() >= PREFIX_BYTES && body.getUnsignedInt(1) == body.length() - PREFIX_BYTES;
    }
}
