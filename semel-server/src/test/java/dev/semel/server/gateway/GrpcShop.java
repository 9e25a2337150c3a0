package dev.semel.server.gateway;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real gRPC server on loopback that knows nothing of Semel, and clients of it. */
final class GrpcShop implements AutoCloseable {

    static final MethodDescriptor<String, String> CHARGE = method("Charge", MethodType.UNARY);
    static final MethodDescriptor<String, String> CHAT = method("Chat", MethodType.BIDI_STREAMING);
    static final Metadata.Key<String> KEY = text("idempotency-key");

    final AtomicInteger executions = new AtomicInteger();
    volatile Metadata lastHeaders = new Metadata();
    volatile Handler handler = (request, answer) -> {
        answer.onNext("paid " + request);
        answer.onCompleted();
    };
    private final Server server;

    /** What the method does. */
    interface Handler {
        void handle(String request, StreamObserver<String> answer) throws Exception;
    }

    GrpcShop() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService((BindableService) this::service)
                .intercept(new Recording())
                .build()
                .start();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder("shop.Payments")
                .addMethod(CHARGE, ServerCalls.asyncUnaryCall((request, answer) -> {
                    executions.incrementAndGet();
                    try {
                        handler.handle(request, answer);
                    } catch (Exception e) {
                        answer.onError(e);
                    }
                }))
                .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(GrpcShop::chat))
                .build();
    }

    /** The server speaks first, and then answers each message. */
    private static StreamObserver<String> chat(StreamObserver<String> answer) {
        answer.onNext("welcome");
        return new StreamObserver<>() {
            @Override
            public void onNext(String said) {
                answer.onNext("echo " + said);
            }

            @Override
            public void onError(Throwable failure) {
                answer.onError(failure);
            }

            @Override
            public void onCompleted() {
                answer.onCompleted();
            }
        };
    }

    String url() {
        return "h2c://127.0.0.1:" + server.getPort();
    }

    void kill() {
        server.shutdownNow();
    }

    @Override
    public void close() throws Exception {
        server.shutdownNow();
        server.awaitTermination(60, TimeUnit.SECONDS);
    }

    /** A client of gRPC, through a gateway. */
    static final class Client implements AutoCloseable {

        final ManagedChannel channel;

        Client(int port) {
            channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .disableRetry()
                    .build();
        }

        Answer charge(String key, String request) {
            return start(key, request, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS))
                    .answer()
                    .join();
        }

        Started start(@Nullable String key, String request, CallOptions options) {
            Metadata headers = new Metadata();
            if (key != null) {
                headers.put(KEY, key);
            }
            return start(headers, request, options);
        }

        Started start(Metadata headers, String request, CallOptions options) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            ClientCall<String, String> call = channel.newCall(CHARGE, options);
            call.start(
                    new ClientCall.Listener<>() {
                        private String message = "";
                        private Metadata received = new Metadata();

                        @Override
                        public void onHeaders(Metadata all) {
                            received = all;
                        }

                        @Override
                        public void onMessage(String text) {
                            message = text;
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            answer.complete(new Answer(status, message, received, trailers));
                        }
                    },
                    headers);
            call.request(2);
            call.sendMessage(request);
            call.halfClose();
            return new Started(call, answer);
        }

        @Override
        public void close() throws Exception {
            channel.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
        }
    }

    record Started(ClientCall<String, String> call, CompletableFuture<Answer> answer) {}

    /** The answer to a call. */
    record Answer(Status status, String message, Metadata headers, Metadata trailers) {

        String trailer(String name) {
            String value = trailers.get(text(name));
            return value == null ? "" : value;
        }

        boolean replayed() {
            return trailer("idempotency-replayed").equals("true");
        }
    }

    static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Text(), new Text())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("shop.Payments", name))
                .build();
    }

    private final class Recording implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            lastHeaders = headers;
            return next.startCall(call, headers);
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
