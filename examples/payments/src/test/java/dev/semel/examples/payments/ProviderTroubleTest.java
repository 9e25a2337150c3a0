package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.payments.provider.Provider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An application whose provider fails")
class ProviderTroubleTest {

    @TempDir
    Path directory;

    @Test
    void releases_the_key_when_the_provider_was_never_reached() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Books books = new Books(directory.resolve("provider"));
        try (Service service = Service.start("memory:", URI.create("http://127.0.0.1:" + port))) {
            HttpResponse<String> away = service.api().pay("k1", Api.ORDER);

            assertThat(away.statusCode()).isEqualTo(503);
            assertThat(Api.header(away, "Content-Type")).startsWith("application/problem+json");
            assertThat(Api.header(away, "Retry-After")).isNotEmpty();
            try (Provider back = Provider.start(port, books.providerDirectory())) {
                assertThat(back.uri().getPort()).isEqualTo(port);
                HttpResponse<String> paid = service.api().pay("k1", Api.ORDER);

                assertThat(paid.statusCode()).isEqualTo(201);
                assertThat(Api.isReplay(paid)).isFalse();
                assertThat(service.api().get(Api.header(paid, "Location")).body())
                        .isEqualTo(paid.body());
                assertThat(books.charges()).isEqualTo(1);
            }
        }
    }

    @Test
    void never_sends_again_what_the_provider_may_have_received() throws IOException {
        try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Service service = Service.start("memory:", URI.create("http://127.0.0.1:" + rude.getLocalPort()))) {
            AtomicInteger received = new AtomicInteger();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> closeEveryConnection(rude, received));

            for (int retry = 0; retry < 3; retry++) {
                HttpResponse<String> answer = service.api().pay("k1", Api.ORDER);

                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains("\"code\":\"idempotency_outcome_unknown\"");
            }
            assertThat(received).hasValue(1);
            rude.close();
            closing.join();
        }
    }

    /** Reads some of every request and closes the connection without an answer; counts those that would charge. */
    private static void closeEveryConnection(ServerSocket server, AtomicInteger received) {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                if (connection.getInputStream().read() == 'P') {
                    received.incrementAndGet();
                }
            } catch (IOException e) {
                assertThat(server.isClosed()).isTrue();
            }
        }
    }
}
