package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One gateway, a request in each stage of its way and twelve clients besides, and one {@code kill -9}. Another gateway on the
 * same store then says what became of each key, and the ledger of the service how often it was executed.
 */
@DisplayName("A gateway under kill -9")
class KilledGatewayIT {

    private static final int LOAD = 150;

    /** Where a request was when the gateway died, and how its key ends. */
    private enum Stage {
        HEAD_HALF_SENT("executed now", 1),
        BODY_HALF_SENT("executed now", 1),
        CLAIMED_AND_CONNECTING("unknown", 0),
        SERVICE_WORKS("unknown", 1),
        ANSWER_HEAD_HALF_READ("unknown", 1),
        ANSWER_BODY_HALF_READ("unknown", 1),
        ANSWER_TOO_LARGE_HALF_PASSED_ON("not retained", 1),
        ANSWERED("replayed", 1);

        private final String end;
        private final int executions;

        Stage(String end, int executions) {
            this.end = end;
            this.executions = executions;
        }

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String path() {
            return this == CLAIMED_AND_CONNECTING ? "/tls" : "/" + key();
        }
    }

    @TempDir
    Path directory;

    private final LedgerService service = new LedgerService();
    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final ExecutorService load = Executors.newFixedThreadPool(12);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean killed = new AtomicBoolean();
    private final CountDownLatch passedOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        clients.shutdownNow();
        load.shutdownNow();
        service.close();
    }

    private Path config(int silentPort) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), """
                store: sqlite:%s
                upstream: %s
                scope: shared
                routes:
                  - {name: tls, path: /tls, upstream: "https://127.0.0.1:%d", timeouts: {connect: 60s}, key-hygiene: ignore, lease: 3s}
                  - {name: pay, path: "*", key-hygiene: ignore, lease: 3s, limits: {kept-answer: 1KiB}}
                """.formatted(
                        directory.resolve("semel.db"), service.url(), silentPort));
    }

    /** Keeps its connections open, so that what it left out of an answer is still expected. */
    private void answerByStage() {
        service.keepsConnections = true;
        service.work = request -> {
            String path = request.line().split(" ")[1];
            if (path.equals(Stage.SERVICE_WORKS.path())) {
                end.await();
            }
            if (path.equals(Stage.ANSWER_HEAD_HALF_READ.path())) {
                return "HTTP/1.1 201 Crea".getBytes(StandardCharsets.US_ASCII);
            }
            if (path.equals(Stage.ANSWER_BODY_HALF_READ.path())) {
                return "HTTP/1.1 201 Created\r\nContent-Length: 14\r\n\r\n{\"paid".getBytes(StandardCharsets.US_ASCII);
            }
            if (path.equals(Stage.ANSWER_TOO_LARGE_HALF_PASSED_ON.path())) {
                return ("HTTP/1.1 201 Created\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(50_000))
                        .getBytes(StandardCharsets.US_ASCII);
            }
            return LedgerService.created("{\"paid\":true}");
        };
    }

    private static Wire.Request request(String path, String key) {
        return new Wire.Request("POST", path).key(key).json("{\"amount\":100}");
    }

    @Test
    void at_every_stage_and_under_load_executes_no_key_twice() throws Exception {
        answerByStage();
        Map<String, Integer> ends = new TreeMap<>();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path config = config(silent.getLocalPort());
            try (GatewayJvm gateway = GatewayJvm.start(config)) {
                for (Stage stage : Stage.values()) {
                    bring(gateway, stage, silent);
                }
                for (int i = 0; i < LOAD; i++) {
                    String key = "load-" + i;
                    load.execute(() -> send(gateway, "/payments", key));
                }
                await().atMost(TestGateway.LONG).until(() -> executedUnderLoad() >= LOAD / 3);
                killed.set(true);
                gateway.kill();
            }
            load.shutdown();
            try (GatewayJvm gateway = GatewayJvm.start(config)) {
                Map<Stage, Future<String>> stages = new EnumMap<>(Stage.class);
                for (Stage stage : Stage.values()) {
                    stages.put(stage, clients.submit(() -> endOf(gateway, stage.path(), stage.key())));
                }
                List<Future<String>> loaded = new ArrayList<>();
                for (int i = 0; i < LOAD; i++) {
                    String key = "load-" + i;
                    loaded.add(clients.submit(() -> endOf(gateway, "/payments", key)));
                }
                for (int i = 0; i < LOAD; i++) {
                    ends.merge(loaded.get(i).get(), 1, Integer::sum);
                    assertThat(service.executions("load-" + i)).as("load-%d", i).isLessThanOrEqualTo(1);
                }
                for (Stage stage : Stage.values()) {
                    System.out.println("gateway killed, " + stage + ": "
                            + stages.get(stage).get() + ", executions " + service.executions(stage.key()));
                }
                System.out.println("gateway killed under load, " + LOAD + " keys: " + ends);
                for (Stage stage : Stage.values()) {
                    assertThat(stages.get(stage).get()).as(stage.name()).isEqualTo(stage.end);
                    assertThat(service.executions(stage.key())).as(stage.name()).isEqualTo(stage.executions);
                }
            }
        }
        assertThat(ends).containsKey("replayed");
    }

    private int executedUnderLoad() {
        return service.executions() - Stage.values().length;
    }

    /** Brings one request to its stage. */
    private void bring(GatewayJvm gateway, Stage stage, ServerSocket silent) throws IOException {
        switch (stage) {
            case HEAD_HALF_SENT ->
                sendPart(gateway, "POST " + stage.path() + " HTTP/1.1\r\nHost: h\r\nIdempotency-Key: " + stage.key());
            case BODY_HALF_SENT ->
                sendPart(
                        gateway,
                        "POST " + stage.path() + " HTTP/1.1\r\nHost: h\r\nContent-Length: 14\r\nIdempotency-Key: "
                                + stage.key() + "\r\n\r\n{\"am");
            case CLAIMED_AND_CONNECTING -> {
                clients.execute(() -> send(gateway, stage.path(), stage.key()));
                silent.accept();
            }
            case ANSWERED ->
                assertThat(request(stage.path(), stage.key())
                                .send(gateway.port())
                                .status())
                        .isEqualTo(201);
            default -> {
                clients.execute(() -> send(gateway, stage.path(), stage.key()));
                await().atMost(TestGateway.LONG).until(() -> service.executions(stage.key()) == 1);
                if (stage == Stage.ANSWER_TOO_LARGE_HALF_PASSED_ON) {
                    await().atMost(TestGateway.LONG).until(() -> passedOn.getCount() == 0);
                }
            }
        }
    }

    private void sendPart(GatewayJvm gateway, String part) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        client.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
        clients.execute(() -> {
            try (client) {
                client.getInputStream().readAllBytes();
            } catch (IOException gone) {
                assertThat(killed).isTrue();
            }
        });
    }

    private void send(GatewayJvm gateway, String path, String key) {
        try (Socket socket = request(path, key).open(gateway.port())) {
            if (path.equals(Stage.ANSWER_TOO_LARGE_HALF_PASSED_ON.path())) {
                // The first byte of an answer that is passed on comes after its record.
                assertThat(socket.getInputStream().read()).isEqualTo('H');
                passedOn.countDown();
            }
            socket.getInputStream().readAllBytes();
        } catch (IOException | UncheckedIOException gone) {
            assertThat(killed).isTrue();
        }
    }

    /** How a key ends: a retry after the lease of the dead gateway. */
    private static String endOf(GatewayJvm gateway, String path, String key) {
        Wire.Reply[] last = new Wire.Reply[1];
        await().atMost(TestGateway.LONG).until(() -> {
            last[0] = request(path, key).send(gateway.port());
            return !last[0].text().contains("idempotency_key_in_progress");
        });
        Wire.Reply reply = last[0];
        if (reply.status() == 201) {
            return reply.replayed() ? "replayed" : "executed now";
        }
        if (reply.text().contains("idempotency_response_not_retained")) {
            return "not retained";
        }
        assertThat(reply.text()).contains("idempotency_outcome_unknown");
        return "unknown";
    }
}
