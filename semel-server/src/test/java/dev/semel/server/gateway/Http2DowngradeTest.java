package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Requests in HTTP/2, written frame by frame, whose names and values would be other lines or another request in HTTP/1.1, which
 * the service speaks. The hidden one never reaches it.
 */
@DisplayName("A request in HTTP/2 that hides another one")
class Http2DowngradeTest {

    private static final String HIDDEN = "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    /** A field of the head; names of HTTP/2's own begin with a colon. */
    private record Field(String name, String value) {}

    private record Case(String what, List<Field> head, String body) {}

    @Test
    void does_not_get_it_to_the_service() throws IOException {
        List<Case> cases = cases();
        int forwarded = 0;
        try (LedgerService service = new LedgerService();
                TestGateway gateway = TestGateway.of(GatewayConfig.of(
                        UpstreamAddress.parse(service.url()),
                        new ScopeConfig.Shared(),
                        JwtConfig.NONE,
                        TrustedProxies.NONE))) {
            service.work = request -> "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
            assertThat(exchange(gateway.port(), with("a plain request", "x-a", "1", "")))
                    .isEqualTo("HEADERS");
            assertThat(service.lines).containsExactly("POST /p HTTP/1.1");
            for (Case each : cases) {
                service.lines.clear();
                service.lastHead = "";
                exchange(gateway.port(), each);
                assertThat(service.lines)
                        .as(each.what())
                        .noneMatch(line -> line.contains("smuggled"))
                        .hasSizeLessThanOrEqualTo(1);
                assertThat(service.lastHead).as(each.what()).doesNotContain("smuggled", "injected");
                assertThat(service.lastHead.split("chunked", -1))
                        .as("the gateway's own framing, at most: %s", each.what())
                        .hasSizeLessThanOrEqualTo(2);
                forwarded += service.lines.size();
            }
        }
        System.out.printf(
                "%d ambiguous requests in HTTP/2: %d refused, %d forwarded in one way%n",
                cases.size(), cases.size() - forwarded, forwarded);
        assertThat(cases).hasSizeGreaterThan(60);
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String key : List.of("", "order-000000000042")) {
            for (String line : List.of("\r\n", "\n", "\r", "\0", "\r\n\t", "\u000b")) {
                cases.add(with("value with a line", "x-a", "b" + line + "injected: 1", key));
                cases.add(with("value with a request", "x-a", "b" + line + HIDDEN, key));
                cases.add(with("name with a line", "x-a: b" + line + "injected", "1", key));
                cases.add(replacing(":path", "/p HTTP/1.1" + line + "injected: 1", key));
                cases.add(replacing(":method", "POST /p HTTP/1.1" + line + "injected: 1", key));
                cases.add(replacing(":authority", "h" + line + "injected: 1", key));
                cases.add(replacing(":scheme", "http://h/smuggled" + line + "injected: 1", key));
            }
            for (String path : List.of(
                    "", "p", "/p q", "/p HTTP/1.1", "/p#smuggled", "http://other/smuggled", "*", "//", "/\\smuggled")) {
                cases.add(replacing(":path", path, key));
            }
            cases.add(replacing(":method", "GET /smuggled HTTP/1.1", key));
            cases.add(replacing(":scheme", "ftp", key));
            cases.add(replacing(":authority", "a@smuggled", key));
            for (Field field : List.of(
                    new Field("transfer-encoding", "chunked"),
                    new Field("connection", "close, x-a"),
                    new Field("connection", "transfer-encoding"),
                    new Field("keep-alive", "timeout=5, injected"),
                    new Field("upgrade", "injected"),
                    new Field("proxy-connection", "injected"),
                    new Field("te", "chunked"),
                    new Field("te", "trailers, chunked"),
                    new Field("host", "injected"),
                    new Field("X-Upper", "injected"),
                    new Field("x a", "injected"),
                    new Field("x:a", "injected"),
                    new Field("", "injected"),
                    new Field(":path", "/smuggled"),
                    new Field(":injected", "1"),
                    new Field("transfer_encoding", "chunked"),
                    new Field("content_length", "injected"),
                    new Field("content-length", "0"),
                    new Field("content-length", "4"),
                    new Field("content-length", "1000"),
                    new Field("content-length", "+5"),
                    new Field("content-length", "5, 5"),
                    new Field("content-length", "smuggled"))) {
                cases.add(with(field.toString(), field.name(), field.value(), key));
            }
        }
        return cases;
    }

    private static Case with(String what, String name, String value, String key) {
        List<Field> head = new ArrayList<>(plain(key));
        head.add(new Field(name, value));
        return new Case(what + " " + name + "=" + value, head, "hello");
    }

    private static Case replacing(String name, String value, String key) {
        List<Field> head = plain(key).stream()
                .map(field -> field.name().equals(name) ? new Field(name, value) : field)
                .toList();
        return new Case(name + "=" + value, head, "hello");
    }

    private static List<Field> plain(String key) {
        List<Field> head = new ArrayList<>(List.of(
                new Field(":method", "POST"),
                new Field(":scheme", "http"),
                new Field(":path", "/p"),
                new Field(":authority", "h")));
        if (!key.isEmpty()) {
            head.add(new Field("idempotency-key", key));
        }
        return head;
    }

    /** Sends one request, and reads until it is answered, reset, or the connection ends. Returns what came. */
    private static String exchange(int port, Case request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(out, SETTINGS, 0, 0, new byte[0]);
            frame(out, HEADERS, END_HEADERS, 1, block(request.head()));
            frame(out, DATA, END_STREAM, 1, request.body().getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(out.toByteArray());
            socket.getOutputStream().flush();
            while (true) {
                byte[] head = socket.getInputStream().readNBytes(9);
                if (head.length < 9) {
                    return "closed";
                }
                int length = (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | (head[2] & 0xFF);
                socket.getInputStream().readNBytes(length);
                switch (head[3]) {
                    case HEADERS -> {
                        return "HEADERS";
                    }
                    case 3 -> {
                        return "RST_STREAM";
                    }
                    case 7 -> {
                        return "GOAWAY";
                    }
                    default -> {
                        // Settings and windows.
                    }
                }
            }
        } catch (IOException reset) {
            return "reset";
        }
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.write(payload.length >> 16);
        out.write(payload.length >> 8);
        out.write(payload.length);
        out.write(type);
        out.write(flags);
        out.writeBytes(new byte[] {0, 0, 0, (byte) stream});
        out.writeBytes(payload);
    }

    /** Every field literally, neither indexed nor compressed (RFC 7541, section 6.2.2). */
    private static byte[] block(List<Field> head) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (Field field : head) {
            block.write(0);
            for (String text : List.of(field.name(), field.value())) {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                block.write(bytes.length);
                block.writeBytes(bytes);
            }
        }
        return block.toByteArray();
    }
}
