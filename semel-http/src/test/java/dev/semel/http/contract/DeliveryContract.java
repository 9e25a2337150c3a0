package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record is durable before the first byte leaves, and a client that disconnects never cancels completion. */
public interface DeliveryContract extends OnTransport {

    /** Closes so that the other side notices at once. */
    private static void abort(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static int available(Socket socket) {
        try {
            return socket.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {50_000, 1_000_000})
    default void the_record_is_durable_before_the_first_byte_leaves(int recorded) throws IOException {
        AtomicInteger arrived = new AtomicInteger(-1);
        CompletableFuture<Socket> client = new CompletableFuture<>();
        ContractServer.Settings settings = settings()
                .onSettle(() -> arrived.set(available(client.join())))
                .route("*", "*", policy -> policy.maxRecordedResponse(recorded));
        try (ContractServer server = settings.start(call -> {
            for (int i = 0; i < 10; i++) {
                call.out().write(new byte[10_000]);
                call.out().flush();
            }
            call.out().close();
        })) {
            try (Socket socket = server.post("/payments").key("k").json("{}").open(server.port())) {
                client.complete(socket);
                assertThat(Wire.Reply.read(socket.getInputStream()).body()).hasSize(100_000);
            }
            assertThat(arrived).hasValue(0);
        }
    }

    @Test
    default void a_client_that_disconnects_while_the_handler_runs_cancels_nothing() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ContractServer server = protecting(call -> {
            started.countDown();
            finish.await();
            call.status(201);
            call.out().write(new byte[500_000]);
        })) {
            Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
            started.await();
            abort(socket);
            finish.countDown();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> server.pay("k").status() == 201);
            assertThat(server.pay("k").body()).hasSize(500_000);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_client_that_disconnects_in_the_middle_of_the_response_gets_it_again() throws Exception {
        try (ContractServer server = protecting(call -> call.out().write(new byte[1_000_000]))) {
            Socket socket =
                    server.post("/payments").key("k").json("{\"amount\":100}").open(server.port());
            socket.getInputStream().readNBytes(100);
            abort(socket);

            assertThat(server.pay("k").body()).hasSize(1_000_000);
            assertThat(server.executions).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 14\r\n\r\n{\"amo", "Transfer-Encoding: chunked\r\n\r\ne\r\n{\"amo"})
    default void a_client_that_disconnects_in_the_middle_of_its_own_body_has_claimed_nothing(String rest)
            throws Exception {
        try (ContractServer server = protecting(call -> {})) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.getOutputStream()
                        .write(("POST /payments HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k\r\n"
                                        + "Content-Type: application/json\r\n" + rest)
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }

            assertThat(server.pay("k").status()).isEqualTo(200);
            assertThat(server.executions).hasValue(1);
        }
    }
}
