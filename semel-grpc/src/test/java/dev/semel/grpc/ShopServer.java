package dev.semel.grpc;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.ForwardingStore;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The shop on a real gRPC server with the interceptor, and a client on a socket of loopback. */
final class ShopServer implements AutoCloseable {

    /** What a method does. */
    interface Handler {
        void handle(byte[] request, StreamObserver<byte[]> answer) throws Exception;
    }

    static final Context.Key<String> CALLER = Context.key("caller");

    final AtomicInteger executions = new AtomicInteger();
    final FaultyStore store;
    final SemelEngine semel;
    volatile Runnable beforeSettle = () -> {};
    private final Server server;
    private final ManagedChannel channel;

    private ShopServer(Settings settings, Handler handler) {
        store = new FaultyStore(new ForwardingStore(settings.store) {
            @Override
            public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
                beforeSettle.run();
                return super.settle(lease, outcome, retention);
            }
        });
        semel = SemelEngine.on(store).build();
        CallPolicy policy = settings.policy.apply(CallPolicy.of(settings.operation));
        SemelServerInterceptor interceptor = settings.interceptor
                .apply(SemelServerInterceptor.on(semel, settings.scope))
                .protect(Shop.CHARGE, policy)
                .protect(Shop.REFUND, CallPolicy.of(Operation.named("refund")))
                .protect(Shop.QUOTE, CallPolicy.of(Operation.named("quote")))
                .build();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service(handler));
        settings.inner.forEach(builder::intercept);
        server = started(builder.intercept(interceptor).intercept(new Authentication()));
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .directExecutor()
                .build();
    }

    private static Server started(NettyServerBuilder builder) {
        try {
            return builder.build().start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private ServerServiceDefinition service(Handler handler) {
        ServerCalls.UnaryMethod<byte[], byte[]> unary = (request, answer) -> {
            executions.incrementAndGet();
            try {
                handler.handle(request, answer);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        return ServerServiceDefinition.builder(Shop.SERVICE)
                .addMethod(Shop.CHARGE, ServerCalls.asyncUnaryCall(unary))
                .addMethod(Shop.REFUND, ServerCalls.asyncUnaryCall(unary))
                .addMethod(Shop.UNPROTECTED, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .addMethod(Shop.TRIMMED_QUOTE, ServerCalls.asyncUnaryCall((request, answer) -> {
                    executions.incrementAndGet();
                    if (request.equals("lost")) {
                        answer.onError(Status.DEADLINE_EXCEEDED.asException());
                    } else {
                        answer.onNext(request + "  ");
                        answer.onCompleted();
                    }
                }))
                .addMethod(Shop.WATCH, ServerCalls.asyncServerStreamingCall((request, answer) -> {
                    executions.incrementAndGet();
                    answer.onNext(request);
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .addMethod(Shop.UPLOAD, ServerCalls.asyncClientStreamingCall(answer -> {
                    executions.incrementAndGet();
                    answer.onNext(new byte[0]);
                    answer.onCompleted();
                    return new Ignoring();
                }))
                .build();
    }

    private static final class Ignoring implements StreamObserver<byte[]> {

        @Override
        public void onNext(byte[] value) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    /** Stands in for authentication: trusts the user that the metadata names. */
    private static final class Authentication implements ServerInterceptor {

        @Override
        public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
                ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            String named = headers.get(Shop.USER);
            String user = named == null ? "alice" : named;
            Context context = user.equals("anonymous")
                    ? Context.current()
                    : Context.current().withValue(CALLER, user);
            return Contexts.interceptCall(context, call, headers, next);
        }
    }

    /** Waits long enough for a busy machine. */
    static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** A handler that answers with this text. */
    static Handler saying(String text) {
        return (request, answer) -> {
            answer.onNext(Shop.bytes(text));
            answer.onCompleted();
        };
    }

    static ShopServer of(Handler handler) {
        return settings().start(handler);
    }

    static Settings settings() {
        return new Settings();
    }

    /** Calls with this key and a usual request. */
    Answer charge(String key) {
        return send(Shop.CHARGE, key(key), "100 EUR").join();
    }

    static Metadata key(String key) {
        Metadata headers = new Metadata();
        headers.put(IdempotencyMetadata.KEY, key);
        return headers;
    }

    CompletableFuture<Answer> send(MethodDescriptor<byte[], byte[]> method, Metadata headers, String request) {
        return send(method, headers, request, CallOptions.DEFAULT).answer();
    }

    /** A call under way. */
    record Sent(ClientCall<byte[], byte[]> call, CompletableFuture<Answer> answer) {}

    Sent send(MethodDescriptor<byte[], byte[]> method, Metadata headers, String request, CallOptions options) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call = channel.newCall(method, options);
        call.start(
                new ClientCall.Listener<>() {
                    private Metadata received = new Metadata();
                    private byte[] message;

                    @Override
                    public void onHeaders(Metadata sent) {
                        received = sent;
                    }

                    @Override
                    public void onMessage(byte[] sent) {
                        message = sent;
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        answer.complete(new Answer(received, message, status, trailers));
                    }
                },
                headers);
        call.request(10);
        call.sendMessage(Shop.bytes(request));
        call.halfClose();
        return new Sent(call, answer);
    }

    int port() {
        return server.getPort();
    }

    /** The state of a key's record; null when there is none. */
    State state(String key) {
        return semel.find(Identity.of("alice", key)).map(found -> found.state()).orElse(null);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
        semel.close();
    }

    /** What a server is made of. */
    static final class Settings {

        private Operation operation = Operation.named("charge");
        private UnaryOperator<CallPolicy> policy = given -> given;
        private CallScope scope = CallScope.fromContext(CALLER);
        private Store store = new MemoryStore();
        private UnaryOperator<SemelServerInterceptor.Builder> interceptor = builder -> builder;
        private final List<ServerInterceptor> inner = new ArrayList<>();

        Settings operation(UnaryOperator<Operation> change) {
            operation = change.apply(operation);
            return this;
        }

        Settings policy(UnaryOperator<CallPolicy> change) {
            policy = change;
            return this;
        }

        Settings scope(CallScope newScope) {
            scope = newScope;
            return this;
        }

        Settings store(Store newStore) {
            store = newStore;
            return this;
        }

        Settings interceptor(UnaryOperator<SemelServerInterceptor.Builder> change) {
            interceptor = change;
            return this;
        }

        /** An interceptor between ours and the handler. */
        Settings inner(ServerInterceptor interceptor) {
            inner.add(interceptor);
            return this;
        }

        ShopServer start(Handler handler) {
            return new ShopServer(this, handler);
        }
    }
}
