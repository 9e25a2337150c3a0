package dev.semel.server.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.check.rules.CheckSettings;
import dev.semel.server.check.rules.Outcome;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.Target;
import dev.semel.server.check.wire.Budget;
import dev.semel.server.check.wire.CheckTime;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireClient;
import dev.semel.server.check.wire.WireOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A check of a server that misbehaves ends, and says why")
class HostileServersTest {

    private static final String CREATED = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    /** What a server does with a connection whose request was read. */
    private interface Behaviour {
        void answer(OutputStream out, int connection) throws IOException;
    }

    /** A server on loopback that answers every connection in one way. */
    private static final class Server implements AutoCloseable {

        private final ServerSocket socket;
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicInteger connections = new AtomicInteger();

        Server(Behaviour behaviour) throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            threads.submit(() -> accept(behaviour));
        }

        private Void accept(Behaviour behaviour) throws IOException {
            while (true) {
                Socket connection = socket.accept();
                int number = connections.incrementAndGet();
                threads.submit(() -> serve(connection, behaviour, number));
            }
        }

        private static Void serve(Socket connection, Behaviour behaviour, int number) throws IOException {
            try (connection) {
                InputStream in = connection.getInputStream();
                for (int seen = 0; seen < 4; ) {
                    int b = in.read();
                    seen = b < 0 ? 4 : b == '\r' || b == '\n' ? seen + 1 : 0;
                }
                behaviour.answer(connection.getOutputStream(), number);
            }
            return null;
        }

        String url() {
            return "http://127.0.0.1:" + socket.getLocalPort() + "/pay";
        }

        @Override
        public void close() throws IOException {
            socket.close();
            threads.shutdownNow();
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static void repeat(OutputStream out, String text) throws IOException {
        while (!Thread.currentThread().isInterrupted()) {
            write(out, text);
        }
    }

    private static void hang() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    private static TargetResult check(String url) {
        CheckTime time = new CheckTime();
        Target target = new Target(
                "pay", "POST", url, List.of(new Header("Content-Type", "text/plain")), "x", Target.Bodies.NONE, null);
        CheckSettings settings = CheckSettings.defaults(1)
                .withWaits(new CheckSettings.Waits(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1)));
        try (WireClient client =
                new WireClient(new Budget(500, Duration.ZERO, time), time, WireOptions.here(TIMEOUT))) {
            return new Checker(settings, Rules.all(), client).check(target, null);
        }
    }

    private static void assertObstacle(Behaviour behaviour, String... words) throws IOException {
        try (Server server = new Server(behaviour)) {
            TargetResult result = check(server.url());

            assertThat(result.obstacle()).contains(words);
            assertThat(result.results()).isEmpty();
        }
    }

    @Test
    @DisplayName("that never answers, or sends a byte now and then")
    void that_never_answers() throws IOException {
        assertObstacle((out, number) -> hang(), "no answer (timeout)", "start the API");
        assertObstacle(
                (out, number) -> {
                    write(out, "HTTP/1.1 201 Created\r\n");
                    while (!Thread.currentThread().isInterrupted()) {
                        write(out, "X: y\r\n");
                        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                    }
                },
                "no answer (timeout)");
    }

    @Test
    @DisplayName("that closes at once, or in the middle")
    void that_closes() throws IOException {
        assertObstacle((out, number) -> {}, "no answer (connection closed)");
        assertObstacle(
                (out, number) -> write(out, "HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\nok"),
                "no answer (connection closed within the answer)");
    }

    @Test
    @DisplayName("that speaks something else than HTTP")
    void that_speaks_something_else() throws IOException {
        assertObstacle((out, number) -> write(out, "SSH-2.0-OpenSSH_9\r\n\r\n"), "this is no HTTP: SSH-2.0-OpenSSH_9");
        assertObstacle(
                (out, number) -> write(out, "HTTP/1.1 201 Created\r\n : nothing\r\n\r\n"),
                "a header line without a name");
        assertObstacle(
                (out, number) -> write(out, "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
                "a chunk of the answer has no size");
    }

    @Test
    @DisplayName("that never stops: heads, bodies, lines, trailers, interim answers")
    void that_never_stops() throws IOException {
        String chunked = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n";
        String filler = "x".repeat(4096);
        assertObstacle(
                (out, number) -> {
                    write(out, "HTTP/1.1 201 Created\r\n");
                    repeat(out, "X: " + filler + "\r\n");
                },
                "the head of the answer is longer than 65536 bytes");
        assertObstacle(
                (out, number) -> {
                    write(out, "HTTP/1.1 201 Created\r\n\r\n");
                    repeat(out, filler);
                },
                "the answer is longer than");
        assertObstacle(
                (out, number) -> {
                    write(out, chunked);
                    repeat(out, "1000\r\n" + filler + "\r\n");
                },
                "the answer is longer than");
        assertObstacle(
                (out, number) -> {
                    write(out, chunked);
                    repeat(out, filler);
                },
                "a line of more than 8192 characters");
        assertObstacle(
                (out, number) -> {
                    write(out, chunked + "0\r\n");
                    repeat(out, "X: y\r\n");
                },
                "more than 100 trailers");
        assertObstacle(
                (out, number) -> repeat(out, "HTTP/1.1 100 Continue\r\n\r\n"), "interim answers, and no final one");
    }

    @Test
    @DisplayName("that redirects, which is not followed")
    void that_redirects() throws IOException {
        try (Server other = new Server((out, number) -> write(out, CREATED))) {
            assertObstacle(
                    (out, number) ->
                            write(out, "HTTP/1.1 307 x\r\nLocation: " + other.url() + "\r\nContent-Length: 0\r\n\r\n"),
                    "got 307 to " + other.url() + ", and redirects are not followed");
            assertThat(other.connections).hasValue(0);
        }
    }

    @Test
    @DisplayName("that answers, and then no more: it is not waited for forty times")
    void that_answers_and_then_no_more() throws IOException {
        try (Server server = new Server((out, number) -> {
            if (number > 2) {
                hang();
            }
            write(out, CREATED);
        })) {
            TargetResult result = check(server.url());

            assertThat(result.obstacle()).isNull();
            assertThat(result.broken()).isEmpty();
            assertThat(result.results().get(20).outcome())
                    .isInstanceOfSatisfying(
                            Outcome.CouldNotTell.class,
                            outcome -> assertThat(outcome.detail())
                                    .contains("requests in a row got no answer within 300 ms", "--timeout"));
        }
    }

    @Test
    @DisplayName("and no other machine is connected to, whatever its name says")
    void no_other_machine_is_connected_to() {
        assertThat(check("http://192.0.2.1:9/").obstacle()).contains("192.0.2.1, another machine");
        assertThat(check("http://[::ffff:192.0.2.1]:9/").obstacle()).contains("192.0.2.1, another machine");
    }
}
