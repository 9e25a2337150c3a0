package com.example;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.grpc.CallPolicy;
import dev.semel.grpc.CallScope;
import dev.semel.grpc.SemelServerInterceptor;
import dev.semel.memory.MemoryStore;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
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
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders by gRPC. */
public class Main {

    private static final Context.Key<String> CALLER = Context.key("caller");

    private static final MethodDescriptor.Marshaller<String> TEXT = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes());
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<String, String> ORDER = MethodDescriptor.newBuilder(TEXT, TEXT)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("shop.Orders/Order")
            .build();

    /** A real one checks a token here. */
    private static final class Authentication implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return Contexts.interceptCall(Context.current().withValue(CALLER, "acme"), call, headers, next);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger orders = new AtomicInteger();
        SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
        SemelServerInterceptor once = SemelServerInterceptor.on(semel, CallScope.fromContext(CALLER))
                .protect("shop.Orders/Order", CallPolicy.of(Operation.named("order")))
                .build();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("shop.Orders")
                        .addMethod(ORDER, ServerCalls.asyncUnaryCall((request, answer) -> {
                            answer.onNext("order " + orders.incrementAndGet());
                            answer.onCompleted();
                        }))
                        .build())
                .intercept(once)
                .intercept(new Authentication())
                .build()
                .start();
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
        Metadata key = new Metadata();
        key.put(Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), "basket-of-tuesday-morning");
        var keyed = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(key));
        for (int i = 0; i < 2; i++) {
            System.out.println(ClientCalls.blockingUnaryCall(keyed, ORDER, CallOptions.DEFAULT, "tea"));
        }
        channel.shutdownNow();
        server.shutdownNow();
        semel.close();
        System.exit(0);
    }
}
