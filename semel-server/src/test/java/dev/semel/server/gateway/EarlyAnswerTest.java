package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.State;
import dev.semel.testsupport.http.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service that answers when it has the head of a request: what follows on its connection is the rest of that request. */
@DisplayName("A service that answers before it has the whole request")
class EarlyAnswerTest {

    private final ImpatientService service = new ImpatientService();

    @AfterEach
    void close() throws IOException {
        service.close();
    }

    /** Answers each head, and never more than one on a connection; everything that follows it is kept. */
    private static final class ImpatientService implements AutoCloseable {

        private final ServerSocket server;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicInteger open = new AtomicInteger();
        private final List<String> received = new CopyOnWriteArrayList<>();
        private volatile String answer = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nearly";

        ImpatientService() {
            try {
                server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            threads.execute(this::accept);
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    open.incrementAndGet();
                    threads.execute(() -> serve(socket));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void serve(Socket socket) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (socket) {
                boolean answered = false;
                for (int b = socket.getInputStream().read();
                        b >= 0;
                        b = socket.getInputStream().read()) {
                    bytes.write(b);
                    if (!answered && bytes.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                        answered = true;
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        socket.getOutputStream().flush();
                    }
                }
            } catch (IOException e) {
                // Closed by a reset: what came before counts.
            } finally {
                received.add(bytes.toString(StandardCharsets.US_ASCII));
                open.decrementAndGet();
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            threads.shutdownNow();
        }
    }

    private static Socket open(TestGateway gateway, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        socket.setSoTimeout((int) TestGateway.LONG.toMillis());
        send(socket, text);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String readUntil(InputStream in, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int b = in.read();
            assertThat(b).as("the connection ended after: %s", text).isNotNegative();
            text.append((char) b);
        }
        return text.toString();
    }

    /** The rest of the body was never sent, so that the service took the next client's request for it. */
    @Test
    void never_gets_the_request_of_another_client_for_the_rest_of_the_body() throws Exception {
        try (TestGateway gateway = TestGateway.before(service.url());
                Socket client = open(
                        gateway,
                        "POST /unprotected/first HTTP/1.1\r\nHost: h\r\nContent-Length: 300\r\n\r\n"
                                + "a".repeat(100))) {
            assertThat(readUntil(client.getInputStream(), "early")).startsWith("HTTP/1.1 201 ");
            send(client, "a".repeat(200));
            Wire.Reply next = new Wire.Request("POST", "/unprotected/victim")
                    .body("text/plain", "v".repeat(400).getBytes(StandardCharsets.US_ASCII))
                    .send(gateway.port());

            assertThat(next.text()).isEqualTo("early");
            await().atMost(TestGateway.LONG).until(() -> service.open.get() == 0);
            assertThat(service.received)
                    .allSatisfy(text -> assertThat(text.split("HTTP/1.1", -1)).hasSize(2));
        }
    }

    @Test
    void leaves_the_connection_of_its_client_usable() throws Exception {
        try (TestGateway gateway = TestGateway.before(service.url());
                Socket client = open(
                        gateway,
                        "POST /unprotected/first HTTP/1.1\r\nHost: h\r\nContent-Length: 300\r\n\r\n"
                                + "a".repeat(100))) {
            readUntil(client.getInputStream(), "early");
            send(client, "a".repeat(200) + "GET /unprotected/second HTTP/1.1\r\nHost: h\r\n\r\n");

            assertThat(readUntil(client.getInputStream(), "early")).startsWith("HTTP/1.1 201 ");
        }
    }

    /** Each such request took a connection out of the pool for good, and the pool has an end. */
    @Test
    void instead_of_asking_for_it_does_not_keep_its_connection() throws Exception {
        service.answer = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
        try (TestGateway gateway = TestGateway.before(service.url())) {
            for (int i = 0; i < 10; i++) {
                try (Socket client = open(
                        gateway,
                        "POST /unprotected/x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")) {
                    String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    assertThat(answer).startsWith("HTTP/1.1 401 ").containsIgnoringCase("Connection: close");
                }
            }
            await().atMost(TestGateway.LONG).until(() -> service.open.get() == 0);
        }
    }

    /** The next client on the connection got the body for its answer. */
    @Test
    void or_declares_a_body_where_none_is_read_does_not_keep_its_connection() throws Exception {
        service.answer = "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n";
        try (TestGateway gateway = TestGateway.before(service.url())) {
            assertThat(new Wire.Request("POST", "/unprotected/x")
                            .send(gateway.port())
                            .status())
                    .isEqualTo(204);
            await().atMost(TestGateway.LONG).until(() -> service.open.get() == 0);
        }
    }

    @Test
    void has_its_answer_recorded() {
        try (TestGateway gateway = TestGateway.before(service.url())) {
            Wire.Request request =
                    gateway.post("k").body("text/plain", "x".repeat(900_000).getBytes(StandardCharsets.US_ASCII));
            assertThat(request.send(gateway.port()).text()).isEqualTo("early");
            assertThat(gateway.state("k")).isEqualTo(State.COMPLETED);
            assertThat(request.send(gateway.port()).replayed()).isTrue();
        }
    }
}
