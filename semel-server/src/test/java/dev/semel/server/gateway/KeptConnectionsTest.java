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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I1 on connections that are used again: at most one execution per key, however the service closes them. */
@DisplayName("A connection that is kept for the next protected request")
class KeptConnectionsTest {

    private final LedgerService service = new LedgerService();

    @BeforeEach
    void keep() {
        service.keepsConnections = true;
    }

    @AfterEach
    void close() {
        service.close();
    }

    /** One client connection, so that all its requests are on one event loop and can use each other's connections. */
    private record Client(TestGateway gateway, Socket socket) implements AutoCloseable {

        static Client of(TestGateway gateway) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
            socket.setSoTimeout((int) TestGateway.LONG.toMillis());
            return new Client(gateway, socket);
        }

        Wire.Reply pay(String key) throws IOException {
            String body = "{\"amount\":100}";
            socket.getOutputStream()
                    .write(("POST /payments HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: " + key
                                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                                    + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return Wire.Reply.read(socket.getInputStream());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] created(String header) {
        return ("HTTP/1.1 201 Created\r\n" + header + "Content-Length: 4\r\n\r\npaid")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void carries_requests_one_after_the_other() throws Exception {
        try (TestGateway gateway = TestGateway.before(service.url());
                Client client = Client.of(gateway)) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.pay("key-" + i).status()).isEqualTo(201);
            }
            assertThat(service.connections).hasValue(1);
            assertThat(service.lastHead).doesNotContain("Connection:");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Connection: close\r\n", "Connection: X-Hop, Close\r\n", "Keep-Alive: timeout=0, max=5\r\n"})
    void is_not_kept_when_the_service_announces_its_end(String header) throws Exception {
        service.work = request -> created(header);
        try (TestGateway gateway = TestGateway.before(service.url());
                Client client = Client.of(gateway)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.pay("key-" + i).status()).isEqualTo(201);
            }
            assertThat(service.connections).hasValue(5);
        }
    }

    @Test
    void is_closed_when_it_was_idle_for_longer_than_the_route_allows() throws Exception {
        TestGateway.Settings settings = TestGateway.Settings.standard().reuse(Duration.ofMillis(1));
        try (TestGateway gateway = TestGateway.before(service.url(), settings);
                Client client = Client.of(gateway)) {
            assertThat(client.pay("first").status()).isEqualTo(201);
            await().atMost(TestGateway.LONG).until(() -> service.openConnections() == 0);
            assertThat(client.pay("later").status()).isEqualTo(201);
            assertThat(service.connections).hasValue(2);
        }
    }

    /** The answer to one key never becomes that of another. */
    @Test
    void is_not_used_when_bytes_arrived_behind_the_answer() throws Exception {
        service.work = request -> (new String(created(""), StandardCharsets.ISO_8859_1)
                        + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
                .getBytes(StandardCharsets.ISO_8859_1);
        try (TestGateway gateway = TestGateway.before(service.url());
                Client client = Client.of(gateway)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.pay("key-" + i).text()).isEqualTo("paid");
            }
            assertThat(service.connections).hasValue(5);
        }
    }

    /** Bytes of such a body, when they arrive, would be the beginning of the next answer. */
    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void is_not_kept_behind_an_answer_that_declares_a_body_it_must_not_have(String status) throws Exception {
        service.work =
                request -> ("HTTP/1.1 " + status + "\r\nContent-Length: 6\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        try (TestGateway gateway = TestGateway.before(service.url());
                Client client = Client.of(gateway)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.pay("key-" + i).status()).isEqualTo(Integer.parseInt(status.substring(0, 3)));
            }
            assertThat(service.connections).hasValue(5);
        }
    }

    /** A service that closes without a word, when the next request is about to be written, or is being written. */
    @Test
    void that_the_service_closes_at_the_wrong_moment_leaves_no_second_execution() throws Exception {
        Map<State, Integer> ends = new EnumMap<>(State.class);
        for (int i = 0; i < 40; i++) {
            String key = "later-" + i;
            try (TestGateway gateway = TestGateway.before(service.url());
                    Client client = Client.of(gateway)) {
                assertThat(client.pay("first-" + i).status()).isEqualTo(201);
                CompletableFuture<Void> closing = CompletableFuture.runAsync(service::cutConnections);
                client.pay(key);
                closing.join();
                State state = gateway.state(key);
                ends.merge(state, 1, Integer::sum);
                int executions = service.executions(key);
                assertThat(executions).isLessThanOrEqualTo(1);
                if (state == State.COMPLETED) {
                    assertThat(executions).isEqualTo(1);
                } else if (state == State.FAILED_RETRYABLE) {
                    assertThat(executions).isZero();
                }
                client.pay(key);
                assertThat(service.executions(key)).isLessThanOrEqualTo(1);
            }
        }
        System.out.println("kept connections closed during the next request: " + ends);
    }

    /** The kept connection breaks after each byte of its second exchange. */
    @ParameterizedTest
    @EnumSource(
            value = CuttingProxy.Break.class,
            names = {"CLOSE", "RESET"})
    void that_breaks_after_any_byte_of_its_second_exchange_leaves_no_second_execution(CuttingProxy.Break how)
            throws Exception {
        service.work = request ->
                created(request.header("Idempotency-Key").startsWith("first") ? "" : "Connection: close\r\n");
        try (CuttingProxy proxy = new CuttingProxy(service.port());
                TestGateway gateway = TestGateway.before("http://127.0.0.1:" + proxy.port());
                Client client = Client.of(gateway)) {
            assertThat(client.pay("first-probe").status()).isEqualTo(201);
            int request = proxy.requestBytes.get();
            int answer = proxy.answerBytes.get();
            assertThat(client.pay("later-probe").status()).isEqualTo(201);
            List<CuttingProxy.Cut> cuts = new ArrayList<>();
            for (int n = 1; n <= request; n++) {
                cuts.add(new CuttingProxy.Cut(how, false, request + n));
            }
            for (int n = 1; n <= proxy.answerBytes.get() - answer; n++) {
                cuts.add(new CuttingProxy.Cut(how, true, answer + n));
            }
            Map<State, Integer> ends = new EnumMap<>(State.class);
            for (int i = 0; i < cuts.size(); i++) {
                String number = String.format("-%05d", i);
                proxy.add(cuts.get(i));
                assertThat(client.pay("first" + number).status()).isEqualTo(201);
                client.pay("later" + number);
                client.pay("later" + number);
                ends.merge(gateway.state("later" + number), 1, Integer::sum);
                assertThat(service.executions("later" + number))
                        .as("%s", cuts.get(i))
                        .isLessThanOrEqualTo(1);
            }
            System.out.printf("second exchange of a kept connection, %s at %d places: %s%n", how, cuts.size(), ends);
            assertThat(service.connections).as("all of them were used again").hasValue(cuts.size() + 1);
            assertThat(ends.keySet()).isSubsetOf(State.COMPLETED, State.UNKNOWN);
            assertThat(ends.getOrDefault(State.UNKNOWN, 0)).isPositive();
        }
    }

    /** A service that closes without saying so is not trusted with another kept connection. */
    @Test
    void that_the_service_closes_without_a_word_is_the_last_for_a_while() throws Exception {
        service.keepsConnections = false;
        service.announcesClose = false;
        try (TestGateway gateway = TestGateway.before(service.url());
                Client client = Client.of(gateway)) {
            client.pay("first");
            await().atMost(TestGateway.LONG)
                    .untilAsserted(() -> assertThat(service.openConnections()).isZero());
            service.keepsConnections = true;
            // The end of the kept connection has arrived before the answer to this one.
            client.pay("second");
            int before = service.connections.get();
            for (int i = 0; i < 5; i++) {
                assertThat(client.pay("later-" + i).status()).isEqualTo(201);
            }
            assertThat(service.connections).hasValue(before + 5);
        }
    }
}
