package dev.semel.torture.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The proxy in front of a server")
@Timeout(300)
class TcpProxyTest {

    /** What PostgreSQL sends at the end of an answer: outside of a transaction, and within one. */
    private static final byte[] IDLE = {'Z', 0, 0, 0, 5, 'I'};

    private static final byte[] COMMIT_OF_MYSQL = {7, 0, 0, 0, 3, 'C', 'O', 'M', 'M', 'I', 'T'};

    /** A script on this many keys. */
    private static final String SCRIPT_OF_REDIS =
            "*5\r\n$7\r\nEVALSHA\r\n$40\r\n" + "a".repeat(40) + "\r\n$1\r\n%d\r\n";

    private static final byte[] IN_TRANSACTION = {'Z', 0, 0, 0, 5, 'T'};

    private final AtomicInteger received = new AtomicInteger();
    private ServerSocket server;
    private TcpProxy proxy;
    private Socket client;
    private volatile byte[] end = IDLE;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(this::serve);
        serving.setDaemon(true);
        serving.start();
        proxy = new TcpProxy(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()), Protocol.POSTGRESQL);
        client = newClient();
    }

    private Socket newClient() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    /** Answers every byte with "ok" and the end of an answer. */
    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread conversation = new Thread(() -> converse(socket));
                conversation.setDaemon(true);
                conversation.start();
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            while (socket.getInputStream().read() >= 0) {
                received.incrementAndGet();
                socket.getOutputStream().write("ok".getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(end);
            }
        } catch (IOException reset) {
            return;
        }
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        server.close();
    }

    @Test
    void loses_the_answer_to_a_commit_of_mysql() throws IOException {
        try (TcpProxy mysql = new TcpProxy(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
                        Protocol.MYSQL);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), mysql.port())) {
            mysql.loseNextAnswer();
            assertThat(ask(socket)).isEqualTo("ok");

            socket.getOutputStream().write(COMMIT_OF_MYSQL);
            assertThat(endsWithoutAnswer(socket)).isTrue();
            Awaitility.await().until(() -> received.get() > 1);
        }
    }

    @Test
    void loses_the_answer_to_a_script_of_redis_on_one_record() throws IOException {
        try (TcpProxy redis = new TcpProxy(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()),
                        Protocol.REDIS);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
            redis.loseNextAnswer();
            assertThat(ask(socket)).isEqualTo("ok");

            byte[] onTwoRecords = SCRIPT_OF_REDIS.formatted(2).getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(onTwoRecords);
            // All answers: one that is left would be taken for the one that is lost.
            int answered = onTwoRecords.length * (2 + end.length);
            assertThat(socket.getInputStream().readNBytes(answered)).hasSize(answered);
            int before = received.get();
            socket.getOutputStream().write(SCRIPT_OF_REDIS.formatted(3).getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().until(() -> hasEnded(socket));
            Awaitility.await().until(() -> received.get() > before);
        }
    }

    /** Reads what has come before the end. */
    private static boolean hasEnded(Socket socket) {
        try {
            return socket.getInputStream().read(new byte[1024]) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private static boolean endsWithoutAnswer(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private String ask(Socket socket) throws IOException {
        socket.getOutputStream().write('?');
        InputStream in = socket.getInputStream();
        byte[] answer = in.readNBytes(2 + end.length);
        if (answer.length < 2 + end.length) {
            throw new IOException("the connection ended");
        }
        return new String(answer, 0, 2, StandardCharsets.US_ASCII);
    }

    @Test
    void passes_everything_on_while_nothing_is_broken() throws IOException {
        assertThat(ask(client)).isEqualTo("ok");
        assertThat(ask(client)).isEqualTo("ok");
    }

    @Test
    void drops_connections_and_takes_new_ones() throws IOException {
        ask(client);
        proxy.drop();

        assertThatThrownBy(() -> ask(client)).isInstanceOf(IOException.class);
        assertThat(ask(newClient())).isEqualTo("ok");
    }

    @Test
    void refuses_new_connections_until_it_admits_them() throws IOException {
        proxy.refuse();
        assertThatThrownBy(() -> ask(newClient())).isInstanceOf(IOException.class);

        proxy.admit();
        assertThat(ask(newClient())).isEqualTo("ok");
    }

    @Test
    void stalls_until_it_flows() throws IOException {
        ask(client);
        proxy.stall();
        client.setSoTimeout(100);
        assertThatThrownBy(() -> ask(client)).isInstanceOf(SocketTimeoutException.class);

        proxy.flow();
        client.setSoTimeout(0);
        assertThat(client.getInputStream().readNBytes(2)).asString().isEqualTo("ok");
    }

    @Test
    void cuts_an_answer_in_the_middle() {
        proxy.cutAfter(1);

        assertThatThrownBy(() -> {
                    ask(client);
                    ask(client);
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void loses_the_answer_of_what_was_done() throws IOException {
        ask(client);
        proxy.loseNextAnswer();

        assertThatThrownBy(() -> ask(client)).isInstanceOf(IOException.class);
        Awaitility.await().until(() -> received.get() == 2);
        assertThat(ask(newClient())).isEqualTo("ok");
    }

    @Test
    void lets_new_clients_connect_while_it_waits_for_an_answer_to_lose() throws IOException {
        proxy.loseNextAnswer();
        end = new byte[] {'N'};
        assertThat(ask(client)).isEqualTo("ok");
        end = IDLE;
        assertThat(ask(client)).isEqualTo("ok");

        assertThatThrownBy(() -> ask(client)).isInstanceOf(IOException.class);
    }

    @Test
    void loses_no_answer_within_a_transaction() throws IOException {
        ask(client);
        end = IN_TRANSACTION;
        proxy.loseNextAnswer();
        assertThat(ask(client)).isEqualTo("ok");

        end = IDLE;
        assertThatThrownBy(() -> ask(client)).isInstanceOf(IOException.class);
    }
}
