package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The gateway as a process")
class GatewayProcessIT {

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();
    private Path config;

    @BeforeEach
    void configure() throws IOException {
        config = directory.resolve("gateway.yaml");
        write("required");
    }

    @AfterEach
    void close() {
        service.close();
    }

    /** Replaces the file as a whole: a running gateway never sees a part of it. */
    private void write(String key) throws IOException {
        Path next = directory.resolve("gateway.yaml.next");
        Files.writeString(next, """
                store: sqlite:%s
                upstream: %s
                scope: shared
                routes:
                  - {name: pay, path: "*", key: %s, key-hygiene: ignore, lease: 3s}
                """.formatted(directory.resolve("store/semel.db"), service.url(), key));
        Files.move(next, config, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Wire.Reply pay(GatewayJvm gateway, String key) {
        return new Wire.Request("POST", "/payments")
                .key(key)
                .json("{\"amount\":100}")
                .send(gateway.port());
    }

    @Test
    void beside_another_one_on_the_same_store_dispatches_one_of_64_duplicates() throws Exception {
        int duplicates = 64;
        ExecutorService clients = Executors.newFixedThreadPool(duplicates);
        CountDownLatch start = new CountDownLatch(1);
        try (GatewayJvm one = GatewayJvm.start(config);
                GatewayJvm other = GatewayJvm.start(config)) {
            List<CompletableFuture<Wire.Reply>> replies = new ArrayList<>();
            for (int i = 0; i < duplicates; i++) {
                GatewayJvm gateway = i % 2 == 0 ? one : other;
                replies.add(CompletableFuture.supplyAsync(
                        () -> {
                            awaitStart(start);
                            return pay(gateway, "k");
                        },
                        clients));
            }
            start.countDown();
            for (CompletableFuture<Wire.Reply> reply : replies) {
                Wire.Reply answer = reply.get();
                assertThat(answer.status() == 201 || answer.text().contains("idempotency_key_in_progress"))
                        .as(answer.text())
                        .isTrue();
            }
            assertThat(pay(one, "k").replayed()).isTrue();
            assertThat(pay(other, "k").replayed()).isTrue();
            assertThat(service.executions("k")).isEqualTo(1);
        } finally {
            clients.shutdownNow();
        }
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reads_its_file_again_keeps_the_old_one_when_the_new_one_is_wrong_and_ends_after_the_request_in_flight()
            throws Exception {
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            Wire.Request without = new Wire.Request("POST", "/payments").json("{}");
            assertThat(without.send(gateway.port()).text()).contains("idempotency_key_missing");

            write("optional");
            gateway.await("The configuration was read again");
            assertThat(without.send(gateway.port()).status()).isEqualTo(201);

            write("perhaps");
            assertThat(gateway.await("The new configuration is refused"))
                    .contains("gateway.yaml:5: routes[0].key: 'perhaps' is none of required");
            assertThat(without.send(gateway.port()).status()).isEqualTo(201);

            gateway.signal("HUP");
            assertThat(gateway.await("The new configuration is refused")).contains("'perhaps'");

            stopWhileARequestIsInFlight(gateway);
        }
    }

    private void stopWhileARequestIsInFlight(GatewayJvm gateway) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{}");
        };
        CompletableFuture<Wire.Reply> client = CompletableFuture.supplyAsync(() -> pay(gateway, "k"));
        await().atMost(TestGateway.LONG).until(() -> service.executions("k") == 1);
        gateway.signal("TERM");
        await().atMost(TestGateway.LONG).until(() -> isRefused(gateway.port()));
        answer.countDown();
        assertThat(client.get().status()).isEqualTo(201);
        assertThat(gateway.exitCode()).isEqualTo(143);
    }

    private static boolean isRefused(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.getInputStream().read() < 0;
        } catch (IOException refused) {
            return true;
        }
    }
}
