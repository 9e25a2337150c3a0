package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.FaultyPeer.Fault;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("The safe rule, on real failures of gRPC")
class SafeGrpcFailuresTest {

    private static final Optional<Failures> UNKNOWN = Optional.of(Failures.RECONCILE);

    private static final Marshaller<byte[]> BYTES = new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> PAY = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("shop.Payments/Pay")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();

    private static final int LARGEST_ANSWER = 100;

    /** Seconds; longer than a busy machine takes. */
    private static final int LONG = 60;

    /** Calls the port and returns what gRPC throws. */
    private static StatusRuntimeException failureAt(int port, int deadlineSeconds) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .maxInboundMessageSize(LARGEST_ANSWER)
                .build();
        try {
            StatusRuntimeException failure = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> ClientCalls.blockingUnaryCall(
                            channel,
                            PAY,
                            CallOptions.DEFAULT.withDeadlineAfter(deadlineSeconds, TimeUnit.SECONDS),
                            "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            assertThat(failure).isNotNull();
            return failure;
        } finally {
            channel.shutdownNow();
        }
    }

    private static Server serverWith(ServerCalls.UnaryMethod<byte[], byte[]> handler) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(ServerServiceDefinition.builder("shop.Payments")
                        .addMethod(PAY, ServerCalls.asyncUnaryCall(handler))
                        .build())
                .build()
                .start();
    }

    private static StatusRuntimeException failureOf(ServerCalls.UnaryMethod<byte[], byte[]> handler)
            throws IOException {
        Server server = serverWith(handler);
        try {
            return failureAt(server.getPort(), LONG);
        } finally {
            server.shutdownNow();
        }
    }

    /** With a retry policy, the call may have been sent before, and UNAVAILABLE is all that remains of it. */
    @Test
    void unavailable_is_no_proof_even_if_the_connection_was_refused() throws IOException {
        try (FaultyPeer peer = FaultyPeer.that(Fault.REFUSED)) {
            StatusRuntimeException failure = failureAt(peer.port(), LONG);
            assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(UNKNOWN);
        }
    }

    @Test
    void a_connection_that_is_lost_during_the_call_proves_nothing() throws IOException {
        AtomicReference<Server> started = new AtomicReference<>();
        Server server = serverWith((request, reply) -> started.get().shutdownNow());
        started.set(server);
        StatusRuntimeException failure = failureAt(server.getPort(), LONG);
        assertThat(failure.getStatus().getCode()).isIn(Status.Code.UNAVAILABLE, Status.Code.CANCELLED);
        assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(UNKNOWN);
    }

    @Test
    void a_passed_deadline_proves_nothing() throws IOException {
        Server server = serverWith((request, reply) -> {});
        try {
            StatusRuntimeException failure = failureAt(server.getPort(), 1);
            assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(UNKNOWN);
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    void an_answer_that_is_too_large_was_produced_by_an_execution() throws IOException {
        StatusRuntimeException failure = failureOf((request, reply) -> {
            reply.onNext(new byte[LARGEST_ANSWER + 1]);
            reply.onCompleted();
        });
        assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(Failures.Rule.SAFE.judge(failure)).isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "INVALID_ARGUMENT",
                "NOT_FOUND",
                "ALREADY_EXISTS",
                "PERMISSION_DENIED",
                "UNAUTHENTICATED",
                "FAILED_PRECONDITION",
                "OUT_OF_RANGE",
                "UNIMPLEMENTED"
            })
    void an_answer_of_the_handler_is_left_to_the_default(Status.Code code) throws IOException {
        assertThat(Failures.Rule.SAFE.judge(failureWith(code))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {
                "OK",
                "INVALID_ARGUMENT",
                "NOT_FOUND",
                "ALREADY_EXISTS",
                "PERMISSION_DENIED",
                "UNAUTHENTICATED",
                "FAILED_PRECONDITION",
                "OUT_OF_RANGE",
                "UNIMPLEMENTED"
            })
    void any_other_code_proves_nothing(Status.Code code) throws IOException {
        assertThat(Failures.Rule.SAFE.judge(failureWith(code))).isEqualTo(UNKNOWN);
    }

    private static StatusRuntimeException failureWith(Status.Code code) throws IOException {
        StatusRuntimeException failure = failureOf((request, reply) -> reply.onError(
                code.toStatus().withDescription("the handler says so").asRuntimeException()));
        assertThat(failure.getStatus().getCode()).isEqualTo(code);
        return failure;
    }
}
