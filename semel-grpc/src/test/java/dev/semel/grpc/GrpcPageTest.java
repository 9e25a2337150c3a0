package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page about gRPC")
class GrpcPageTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Context.Key<String> CALLER = Context.key("caller");
    private static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final AtomicInteger number = new AtomicInteger();

    private final BindableService payments = () -> ServerServiceDefinition.builder("shop.Payments")
            .addMethod(Shop.CHARGE, ServerCalls.asyncUnaryCall((request, answer) -> {
                answer.onNext(Shop.bytes("payment " + number.incrementAndGet() + " of " + CALLER.get()));
                answer.onCompleted();
            }))
            .build();

    private final ServerInterceptor authentication = new ServerInterceptor() {
        @Override
        public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
                ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            String token = headers.get(TOKEN);
            if (token == null) {
                call.close(Status.UNAUTHENTICATED, new Metadata());
                return new ServerCall.Listener<>() {};
            }
            Context context = Context.current().withValue(CALLER, token.replace("Bearer of ", ""));
            return Contexts.interceptCall(context, call, headers, next);
        }
    };

    private Server server(SemelEngine semel, ServerBuilder<?> serverBuilder) {
        SemelServerInterceptor once = SemelServerInterceptor.on(semel, CallScope.fromContext(CALLER))
                .protect(
                        "shop.Payments/Charge",
                        CallPolicy.of(Operation.named("charge").retention(Retention.PAYMENT)))
                .build();
        Server server = serverBuilder
                .addService(payments)
                .intercept(once)
                .intercept(authentication)
                .build();
        return server;
    }

    @Test
    void has_code_that_is_compiled_here() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/semel/grpc/GrpcPageTest.java"));
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../docs/how-to/grpc.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(bare(source)).contains(bare(snippet.group(1)));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void shows_a_server_that_replays_to_the_caller_and_to_no_other() throws Exception {
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Server server = server(
                            semel,
                            NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                    .start();
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                    .usePlaintext()
                    .build();
            try {
                assertThat(charge(channel, "Bearer of alice")).isEqualTo("payment 1 of alice");
                assertThat(charge(channel, "Bearer of alice")).isEqualTo("payment 1 of alice");
                assertThat(charge(channel, "Bearer of bob")).isEqualTo("payment 2 of bob");
                assertThatThrownBy(() -> charge(channel, null))
                        .isInstanceOf(StatusRuntimeException.class)
                        .hasMessageContaining("UNAUTHENTICATED");
            } finally {
                channel.shutdownNow();
                server.shutdownNow();
            }
        }
    }

    /** What a client with a generated stub does, where {@code withInterceptors} takes the place of the channel's. */
    private static String charge(Channel channel, String token) {
        Metadata headers = new Metadata();
        headers.put(IdempotencyMetadata.KEY, "order-42");
        if (token != null) {
            headers.put(TOKEN, token);
        }
        Channel keyed = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        return new String(
                ClientCalls.blockingUnaryCall(keyed, Shop.CHARGE, CallOptions.DEFAULT, Shop.bytes("100 EUR")));
    }
}
