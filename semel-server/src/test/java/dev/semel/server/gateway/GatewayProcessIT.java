package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void killed_while_the_service_works_leaves_an_unknown_outcome_and_never_dispatches_again() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{}");
        };
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            CompletableFuture<Object> client = CompletableFuture.supplyAsync(() -> pay(gateway, "k"));
            await().atMost(TestGateway.LONG).until(() -> service.executions("k") == 1);
            gateway.kill();
            assertThat(client).failsWithin(TestGateway.LONG);
        }
        answer.countDown();
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            await().atMost(TestGateway.LONG)
                    .until(() -> pay(gateway, "k").text().contains("idempotency_outcome_unknown"));
            assertThat(service.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void killed_while_a_client_sends_has_claimed_nothing_and_after_the_answer_it_replays() throws Exception {
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            assertThat(pay(gateway, "done").status()).isEqualTo(201);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                client.getOutputStream()
                        .write(
                                "POST /payments HTTP/1.1\r\nHost: h\r\nIdempotency-Key: half\r\nContent-Length: 14\r\n\r\n{\"am"
                                        .getBytes(StandardCharsets.US_ASCII));
                client.getOutputStream().flush();
                assertThat(pay(gateway, "other").status()).isEqualTo(201);
                gateway.kill();
            }
        }
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            assertThat(pay(gateway, "done").replayed()).isTrue();
            assertThat(pay(gateway, "half").replayed()).isFalse();
            assertThat(service.executions("done")).isEqualTo(1);
            assertThat(service.executions("half")).isEqualTo(1);
        }
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

    /** Twelve clients, a kill in the middle of everything: whatever stage a request was in, it was executed at most once. */
    @Test
    void killed_under_load_executes_no_key_twice() throws Exception {
        int keys = 300;
        AtomicBoolean killed = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(12);
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            for (int i = 0; i < keys; i++) {
                String key = "key-" + i;
                clients.execute(() -> {
                    try {
                        pay(gateway, key);
                    } catch (UncheckedIOException e) {
                        assertThat(killed).isTrue();
                    }
                });
            }
            await().atMost(TestGateway.LONG).until(() -> service.executions() >= keys / 3);
            killed.set(true);
            gateway.kill();
        }
        clients.shutdown();
        Map<String, Integer> ends = new TreeMap<>();
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            for (int i = 0; i < keys; i++) {
                String key = "key-" + i;
                Wire.Reply[] last = new Wire.Reply[1];
                await().atMost(TestGateway.LONG).until(() -> {
                    last[0] = pay(gateway, key);
                    return !last[0].text().contains("idempotency_key_in_progress");
                });
                String end = last[0].status() == 201 ? (last[0].replayed() ? "replayed" : "executed now") : "unknown";
                ends.merge(end, 1, Integer::sum);
                assertThat(last[0].status() == 201 || last[0].text().contains("idempotency_outcome_unknown"))
                        .isTrue();
                assertThat(service.executions(key)).as(key).isLessThanOrEqualTo(1);
            }
        }
        System.out.println("gateway killed under load, " + keys + " keys: " + ends);
        assertThat(ends.get("replayed")).isPositive();
    }

    @Test
    void reads_its_file_again_when_it_changes_and_on_sighup_and_keeps_the_old_one_when_the_new_one_is_wrong()
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
        }
    }

    @Test
    void finishes_the_request_in_flight_when_it_is_stopped() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        service.work = request -> {
            answer.await();
            return LedgerService.created("{}");
        };
        try (GatewayJvm gateway = GatewayJvm.start(config)) {
            CompletableFuture<Wire.Reply> client = CompletableFuture.supplyAsync(() -> pay(gateway, "k"));
            await().atMost(TestGateway.LONG).until(() -> service.executions("k") == 1);
            gateway.signal("TERM");
            await().atMost(TestGateway.LONG).until(() -> isRefused(gateway.port()));
            answer.countDown();
            assertThat(client.get().status()).isEqualTo(201);
            assertThat(gateway.exitCode()).isEqualTo(143);
        }
    }

    private static boolean isRefused(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.getInputStream().read() < 0;
        } catch (IOException refused) {
            return true;
        }
    }
}
