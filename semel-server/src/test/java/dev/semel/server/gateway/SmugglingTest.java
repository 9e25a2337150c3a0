package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.server.gateway.config.ScopeConfig;
import dev.semel.server.gateway.config.TrustedProxies;
import dev.semel.server.gateway.config.UpstreamAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Requests that two programs can read in two ways, each with another request hidden in it. The hidden one never reaches the
 * service: what is ambiguous is refused, and what is forwarded is framed anew.
 */
@DisplayName("A request that hides another one")
class SmugglingTest {

    private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

    private static final String LAST = "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

    /** Nothing but a refusal, after which the connection is closed; or a reset, since the rest is not read any more. */
    private static final Pattern REFUSAL = Pattern.compile(
            "HTTP/[0-9.]+ (400|501) .*|java\\.net\\.SocketException: Connection reset.*", Pattern.DOTALL);

    /** For requests of which the gateway expects more. */
    private static final int WAIT_MILLIS = 2000;

    private static final List<String> ENCODINGS = List.of(
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: Chunked",
            "Transfer-Encoding:chunked",
            "Transfer-Encoding:\tchunked",
            "Transfer-Encoding: chunked ",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: identity, chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: chunked;q=1",
            "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunkedx",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: \u000bchunked",
            "Transfer-Encoding: chunked\u000b",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding\t: chunked",
            " Transfer-Encoding: chunked",
            "X: y\nTransfer-Encoding: chunked",
            "X: y\rTransfer-Encoding: chunked",
            "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding:\n chunked",
            "TRANSFER-ENCODING: CHUNKED",
            "Transfer_Encoding: chunked",
            "Transfer-Encoding: chu\u0000nked");

    private static final List<String> LENGTHS =
            List.of("0", "4", "5, 5", "6, 5", "+5", "-5", "0x5", "5 5", "5;x", "1e1", "");

    private static final List<String> CHUNKS = List.of(
            "5;a=b\r\nhello\r\n0\r\n\r\n",
            "5;a=\"\r\nhello\r\n0\r\n\r\n",
            "5;\nhello\r\n0\r\n\r\n",
            "5 ;a\r\nhello\r\n0\r\n\r\n",
            "5\nhello\n0\n\n",
            "0x5\r\nhello\r\n0\r\n\r\n",
            "+5\r\nhello\r\n0\r\n\r\n",
            "-5\r\nhello\r\n0\r\n\r\n",
            "5\r\r\nhello\r\n0\r\n\r\n",
            "5\rX\nhello\r\n0\r\n\r\n",
            "100000000000000005\r\nhello\r\n0\r\n\r\n",
            "5\r\nhelloXX0\r\n\r\n",
            "5\r\nhello0\r\n\r\n",
            "\r\n5\r\nhello\r\n0\r\n\r\n",
            "5\r\nhello\r\n0\n\n",
            "5\r\nhello\r\n00000000000000000000\r\n\r\n");

    private static final List<String> LINES = List.of(
            "POST /p HTTP/1.1\nHost: h\nContent-Length: 0\n\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nHost: i\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nX\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nX y: z\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nX: a\u0000b\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\n: empty\r\nContent-Length: 0\r\n\r\n",
            "POST\t/p\tHTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p q HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p\rGET /smuggled HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/9.9\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p http/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST http://other/p HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST ftp://h/p HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST h:80 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p#x HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h, i\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: a@h\r\nContent-Length: 0\r\n\r\n",
            "P@ST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
            "POST /p HTTP/1.1\r\n Host: h\r\nContent-Length: 0\r\n\r\n");

    @Test
    void does_not_get_it_to_the_service() throws IOException {
        List<String> all = requests();
        int forwarded = 0;
        int refused = 0;
        try (LedgerService service = new LedgerService();
                TestGateway gateway = TestGateway.of(GatewayConfig.of(
                        UpstreamAddress.parse(service.url()),
                        new ScopeConfig.Shared(),
                        JwtConfig.NONE,
                        TrustedProxies.NONE))) {
            service.work = request -> "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < all.size(); i++) {
                // A path of its own: a refused client's request may reach the service after the next one was sent.
                String path = "/p" + i;
                String request =
                        all.get(i).replaceFirst("/p\\b", path).replace("000000000042", "0000000" + (10_000 + i));
                String answer = exchange(gateway.port(), request);
                assertThat(service.lines)
                        .as("%s%nwas answered with %s", request, answer)
                        .allMatch(line -> line.matches("(POST /p\\d+|GET /last) HTTP/1\\.1"))
                        .filteredOn(line -> line.contains(path + " "))
                        .hasSizeLessThanOrEqualTo(1);
                if (service.lines.stream().anyMatch(line -> line.contains(path + " "))) {
                    forwarded++;
                } else {
                    refused++;
                    assertThat(answer).as(request).matches(REFUSAL);
                }
            }
        }
        System.out.printf(
                "%d ambiguous requests: %d refused, %d forwarded in one way%n", all.size(), refused, forwarded);
        assertThat(all).hasSizeGreaterThan(200);
        assertThat(forwarded).as("the service is reached at all").isPositive();
    }

    private static List<String> requests() {
        List<String> all = new ArrayList<>();
        for (String key : List.of("", "Idempotency-Key: order-000000000042\r\n")) {
            String start = "POST /p HTTP/1.1\r\nHost: h\r\n" + key;
            for (String encoding : ENCODINGS) {
                all.add(start + "Content-Length: 5\r\n" + encoding + "\r\n\r\n0\r\n\r\n" + HIDDEN);
                all.add(start + encoding + "\r\nContent-Length: " + (5 + HIDDEN.length()) + "\r\n\r\n0\r\n\r\n"
                        + HIDDEN);
            }
            for (String length : LENGTHS) {
                all.add(start + "Content-Length: 5\r\nContent-Length: " + length + "\r\n\r\nhello" + HIDDEN);
                all.add(start + "Content-Length: " + length + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + HIDDEN);
            }
            for (String chunk : CHUNKS) {
                all.add(start + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunk + HIDDEN);
            }
            for (String lines : LINES) {
                all.add(lines.replaceFirst("Content-Length", key + "Connection: close\r\nContent-Length") + HIDDEN);
            }
        }
        return all;
    }

    /** Sends the request and one more that asks to close the connection, and reads until it is closed. */
    private static String exchange(int port, String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(WAIT_MILLIS);
            socket.getOutputStream().write((request + LAST).getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                answer.append((char) b);
            }
        } catch (IOException e) {
            // Refused by a reset, or the gateway waits for the rest of a body.
            answer.append(e);
        }
        return answer.toString();
    }
}
