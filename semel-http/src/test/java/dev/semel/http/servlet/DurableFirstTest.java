package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The record is durable before the first byte of the response leaves. */
class DurableFirstTest {

    /** How many bytes had arrived at the client when the settlement was about to be written. */
    private final AtomicInteger arrived = new AtomicInteger(-1);

    private final CompletableFuture<Socket> client = new CompletableFuture<>();

    private void look() {
        try {
            arrived.set(client.join().getInputStream().available());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Wire.Reply pay(TestServer server) throws IOException {
        try (Socket socket = server.post("/payments").key("k").json("{}").open(server.port())) {
            client.complete(socket);
            return Wire.Reply.read(socket.getInputStream());
        }
    }

    @Test
    void although_the_handler_has_flushed() throws IOException {
        TestServer.Settings settings =
                TestServer.settings().onSettle(this::look).route("*", "*", policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            response.getOutputStream().write(new byte[100_000]);
            response.getOutputStream().flush();
            response.flushBuffer();
            response.getOutputStream().close();
        })) {
            assertThat(pay(server).body()).hasSize(100_000);
            assertThat(arrived).hasValue(0);
        }
    }

    @Test
    void although_the_response_is_too_large_to_be_recorded() throws IOException {
        TestServer.Settings settings = TestServer.settings()
                .onSettle(this::look)
                .route("*", "*", policy -> policy.maxRecordedResponse(50_000));
        try (TestServer server = settings.start((request, response) -> {
            for (int i = 0; i < 100; i++) {
                response.getOutputStream().write(new byte[10_000]);
                response.flushBuffer();
            }
        })) {
            assertThat(pay(server).body()).hasSize(1_000_000);
            assertThat(arrived).hasValue(0);
        }
    }

    @Test
    void although_it_is_completed_by_another_thread() throws IOException {
        TestServer.Settings settings =
                TestServer.settings().onSettle(this::look).route("*", "*", policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            var async = request.startAsync();
            response.getOutputStream().write(new byte[100_000]);
            new Thread(async::complete).start();
        })) {
            assertThat(pay(server).body()).hasSize(100_000);
            assertThat(arrived).hasValue(0);
        }
    }
}
