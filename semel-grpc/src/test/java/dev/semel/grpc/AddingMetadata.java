package dev.semel.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** An interceptor that adds to the headers and trailers of every answer. */
record AddingMetadata(Metadata headers, Metadata trailers) implements ServerInterceptor {

    @Override
    public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
            ServerCall<ReqT, RespT> call, Metadata received, ServerCallHandler<ReqT, RespT> next) {
        return next.startCall(
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void sendHeaders(Metadata sent) {
                        sent.merge(headers);
                        super.sendHeaders(sent);
                    }

                    @Override
                    public void close(Status status, Metadata sent) {
                        sent.merge(trailers);
                        super.close(status, sent);
                    }
                },
                received);
    }
}
