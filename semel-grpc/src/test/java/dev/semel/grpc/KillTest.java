package dev.semel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.State;
import dev.semel.jdbc.sqlite.SqliteStore;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A server that is killed while it handles a call")
class KillTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private static ShopServer server(Path directory, ShopServer.Handler handler) {
        return ShopServer.settings()
                .store(SqliteStore.open(directory.resolve("semel.db")))
                .operation(operation -> operation.lease(LEASE))
                .start(handler);
    }

    /** The process that is killed: it charges, and does not come to answer. */
    static final class Victim {

        private Victim() {}

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            ShopServer server = server(directory, (request, answer) -> {
                charge(directory);
                new CountDownLatch(1).await();
            });
            Files.writeString(directory.resolve("port.tmp"), String.valueOf(server.port()));
            Files.move(directory.resolve("port.tmp"), directory.resolve("port"));
            new CountDownLatch(1).await();
        }
    }

    /** A client that gets no answer. */
    private record Loss(CompletableFuture<Throwable> failure) implements StreamObserver<byte[]> {

        @Override
        public void onNext(byte[] answer) {
            failure.completeExceptionally(new AssertionError("the killed server answered"));
        }

        @Override
        public void onError(Throwable thrown) {
            failure.complete(thrown);
        }

        @Override
        public void onCompleted() {}
    }

    private static void charge(Path directory) throws IOException {
        Files.writeString(
                directory.resolve("ledger"), "charged\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void leaves_an_unknown_outcome_that_no_retry_executes_again(@TempDir Path directory) throws Exception {
        Process victim = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        directory.toString())
                .inheritIO()
                .start();
        ManagedChannel channel = null;
        try {
            ShopServer.eventually().until(() -> Files.exists(directory.resolve("port")));
            int port = Integer.parseInt(Files.readString(directory.resolve("port")));
            channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .usePlaintext()
                    .intercept(MetadataUtils.newAttachHeadersInterceptor(ShopServer.key("k")))
                    .build();
            Loss lost = new Loss(new CompletableFuture<>());
            ClientCalls.asyncUnaryCall(channel.newCall(Shop.CHARGE, CallOptions.DEFAULT), Shop.bytes("100 EUR"), lost);
            ShopServer.eventually().until(() -> Files.exists(directory.resolve("ledger")));
            victim.destroyForcibly().waitFor();
            assertThat(lost.failure().get(60, TimeUnit.SECONDS)).isNotNull();
        } finally {
            victim.destroyForcibly().waitFor();
            if (channel != null) {
                channel.shutdownNow();
            }
        }
        try (ShopServer server = server(directory, (request, answer) -> {
            charge(directory);
            answer.onNext(Shop.bytes("charged again"));
            answer.onCompleted();
        })) {
            ShopServer.eventually().until(() -> {
                Answer retry = server.charge("k");
                return RefusalCode.in(retry.trailers()).orElseThrow() == RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN;
            });
            assertThat(server.state("k")).isEqualTo(State.UNKNOWN);
            assertThat(server.executions).hasValue(0);
            assertThat(Files.readString(directory.resolve("ledger"))).isEqualTo("charged\n");
        }
    }
}
