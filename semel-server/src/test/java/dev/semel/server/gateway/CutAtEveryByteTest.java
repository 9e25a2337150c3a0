package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Breaks an exchange after each of its bytes, between client and gateway and between gateway and service, and looks into the
 * ledger of the service: at most one execution per key, and every key ends as completed, as retryable with proof, or as unknown.
 */
@DisplayName("An exchange that breaks after any byte")
class CutAtEveryByteTest {

    /** Most of them wait at the same time for connections that stall. */
    private static final int CLIENTS = 132;

    private final LedgerService service = new LedgerService();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

    @AfterEach
    void close() {
        clients.shutdownNow();
        service.close();
    }

    @ParameterizedTest
    @EnumSource(CuttingProxy.Break.class)
    void between_gateway_and_service_is_executed_at_most_once(CuttingProxy.Break how) throws Exception {
        // Only a connection that stalls needs the timeout to be reached.
        TestGateway.Settings settings = TestGateway.Settings.standard()
                .reuse(Duration.ZERO)
                .answerTimeout(how == CuttingProxy.Break.STALL ? Duration.ofSeconds(2) : TestGateway.LONG);
        try (CuttingProxy proxy = new CuttingProxy(service.port());
                TestGateway gateway = TestGateway.before("http://127.0.0.1:" + proxy.port(), settings)) {
            assertThat(gateway.pay("probe").status()).isEqualTo(201);
            List<CuttingProxy.Cut> cuts = cutsOf(how, proxy);
            cuts.forEach(proxy::add);
            all(cuts.size(), i -> gateway.pay("key-" + i));
            assertThat(proxy.isUsedUp()).isTrue();
            Map<State, Integer> first = count(gateway, cuts.size());
            for (int i = 0; i < cuts.size(); i++) {
                if (gateway.state("key-" + i) == State.FAILED_RETRYABLE) {
                    assertThat(service.executions("key-" + i))
                            .as("proof for key-%d", i)
                            .isZero();
                }
            }

            all(cuts.size(), i -> gateway.pay("key-" + i));
            Map<State, Integer> last = count(gateway, cuts.size());
            System.out.printf(
                    "gateway to service, %s at %d places: %s, after a retry %s%n", how, cuts.size(), first, last);
            assertThat(last.getOrDefault(State.COMPLETED, 0) + last.getOrDefault(State.UNKNOWN, 0))
                    .isEqualTo(cuts.size());
            assertThat(last.getOrDefault(State.UNKNOWN, 0)).isPositive();
            assertThat(last.getOrDefault(State.COMPLETED, 0)).isPositive();
            for (int i = 0; i < cuts.size(); i++) {
                assertThat(service.executions("key-" + i)).as("%s", cuts.get(i)).isLessThanOrEqualTo(1);
                if (gateway.state("key-" + i) == State.COMPLETED) {
                    assertThat(service.executions("key-" + i)).isEqualTo(1);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CuttingProxy.Break.class)
    void between_client_and_gateway_is_executed_at_most_once(CuttingProxy.Break how) throws Exception {
        try (TestGateway gateway = TestGateway.before(service.url())) {
            List<Socket> stalled = Collections.synchronizedList(new ArrayList<>());
            byte[] request = bytesOf(gateway, "key-0000");
            int answer = answerLength(gateway, "probe-00");
            int cuts = request.length + answer;
            all(cuts, i -> {
                byte[] bytes = bytesOf(gateway, key(i));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                socket.setSoTimeout(60_000);
                socket.getOutputStream().write(bytes, 0, Math.min(i, bytes.length));
                socket.getOutputStream().flush();
                if (i >= bytes.length) {
                    socket.getInputStream().readNBytes(i - bytes.length);
                }
                if (how == CuttingProxy.Break.STALL) {
                    stalled.add(socket);
                } else {
                    socket.setSoLinger(how == CuttingProxy.Break.RESET, 0);
                    socket.close();
                }
                return null;
            });
            Map<State, Integer> first = count(gateway, cuts);

            // A request that had arrived whole may still be in progress, and then its retry is refused.
            all(cuts, i -> gateway.post(key(i)).send(gateway.port()));
            await().atMost(TestGateway.LONG).until(() -> count(gateway, cuts).getOrDefault(State.COMPLETED, 0) == cuts);
            Map<State, Integer> last = count(gateway, cuts);
            for (Socket socket : stalled) {
                socket.close();
            }
            System.out.printf("client to gateway, %s at %d places: %s, after a retry %s%n", how, cuts, first, last);
            assertThat(last.get(State.COMPLETED)).isEqualTo(cuts);
            for (int i = 0; i < cuts; i++) {
                assertThat(service.executions(key(i)))
                        .as("cut after byte %d", i)
                        .isEqualTo(1);
            }
        }
    }

    /** The instrument works: it finds the duplicates of a proxy that caches answers and tries again. */
    @Test
    void is_executed_twice_behind_a_naive_proxy() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(service.port());
                NaiveProxy naive = new NaiveProxy(proxy.port())) {
            Wire.Request probe =
                    new Wire.Request("POST", "/payments").key("probe").json("{\"amount\":100}");
            assertThat(probe.send(naive.port()).status()).isEqualTo(201);
            List<CuttingProxy.Cut> cuts = cutsOf(CuttingProxy.Break.CLOSE, proxy);
            for (CuttingProxy.Cut cut : cuts) {
                proxy.add(cut);
            }
            all(
                    cuts.size(),
                    i -> new Wire.Request("POST", "/payments")
                            .key("key-" + i)
                            .json("{\"amount\":100}")
                            .send(naive.port()));
            long duplicates = IntStream.range(0, cuts.size())
                    .filter(i -> service.executions("key-" + i) > 1)
                    .count();
            System.out.printf("naive proxy, CLOSE at %d places: %d keys executed twice%n", cuts.size(), duplicates);
            assertThat(duplicates).isPositive();
        }
    }

    private static List<CuttingProxy.Cut> cutsOf(CuttingProxy.Break how, CuttingProxy proxy) {
        int requestBytes = proxy.requestBytes.get();
        int answerBytes = proxy.answerBytes.get();
        List<CuttingProxy.Cut> cuts = new ArrayList<>();
        for (int n = 0; n <= requestBytes; n++) {
            cuts.add(new CuttingProxy.Cut(how, false, n));
        }
        for (int n = 0; n <= answerBytes; n++) {
            cuts.add(new CuttingProxy.Cut(how, true, n));
        }
        return cuts;
    }

    private static String key(int i) {
        return String.format("key-%04d", i);
    }

    private static byte[] bytesOf(TestGateway gateway, String key) {
        byte[] head = gateway.post(key).head();
        byte[] body = "{\"amount\":100}".getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[head.length + body.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    private static int answerLength(TestGateway gateway, String key) throws IOException {
        try (Socket socket = gateway.post(key).open(gateway.port())) {
            return socket.getInputStream().readAllBytes().length;
        }
    }

    private static Map<State, Integer> count(TestGateway gateway, int keys) {
        Map<State, Integer> counts = new EnumMap<>(State.class);
        for (int i = 0; i < keys; i++) {
            State state = gateway.state("key-" + i);
            State found = state == null ? gateway.state(key(i)) : state;
            if (found != null) {
                counts.merge(found, 1, Integer::sum);
            }
        }
        return counts;
    }

    private interface Task {
        Object of(int number) throws Exception;
    }

    private void all(int count, Task task) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            running.add(clients.submit(() -> task.of(number)));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }
}
