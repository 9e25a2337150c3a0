package dev.semel.benchmarks.http;

import dev.semel.benchmarks.engine.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * A client on one connection that does as little as HTTP allows: it sends the same bytes again and again, with another
 * key in them, and of a response it reads the status and the length. What it does not use is left to the server.
 */
final class PaymentClient implements AutoCloseable {

    private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");
    private static final byte[] LENGTH = ascii("\r\ncontent-length: ");
    private static final byte[] CREATED = ascii("http/1.1 201 ");
    private static final int DIGITS = 12;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] request;
    private final int digitsAt;
    private final byte[] response = new byte[16 * 1024];

    PaymentClient(int port, int bodyBytes) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        byte[] body = Samples.json(bodyBytes);
        String untilKey = "POST " + PaymentServlet.PATH + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nUser-Agent: semel-bench\r\nAccept: */*\r\nX-Account: account-17"
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\nIdempotency-Key: "
                + UUID.randomUUID() + "-";
        digitsAt = untilKey.length();
        byte[] head = ascii(untilKey + "0".repeat(DIGITS) + "\r\n\r\n");
        request = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, request, head.length, body.length);
    }

    /** Sends the payment whose key has this number, and waits for its answer. */
    void pay(long key) throws IOException {
        long rest = key;
        for (int i = DIGITS - 1; i >= 0; i--) {
            request[digitsAt + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        out.write(request);
        int read = 0;
        int head = -1;
        while (head < 0) {
            read += read(read);
            head = find(END_OF_HEAD, read);
        }
        if (find(CREATED, CREATED.length) != 0) {
            throw new IOException(
                    "the server did not answer 201: " + new String(response, 0, read, StandardCharsets.UTF_8));
        }
        int end = head + END_OF_HEAD.length + contentLength(head);
        while (read < end) {
            read += read(read);
        }
    }

    private int read(int from) throws IOException {
        int count = in.read(response, from, response.length - from);
        if (count < 0) {
            throw new IOException("the server closed the connection");
        }
        return count;
    }

    private int contentLength(int head) throws IOException {
        int at = find(LENGTH, head);
        if (at < 0) {
            throw new IOException("the response has no length");
        }
        int length = 0;
        for (int i = at + LENGTH.length; response[i] >= '0' && response[i] <= '9'; i++) {
            length = 10 * length + response[i] - '0';
        }
        return length;
    }

    private int find(byte[] wanted, int end) {
        for (int at = 0; at + wanted.length <= end; at++) {
            int matched = 0;
            while (matched < wanted.length && lower(response[at + matched]) == wanted[matched]) {
                matched++;
            }
            if (matched == wanted.length) {
                return at;
            }
        }
        return -1;
    }

    private static byte lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? (byte) (letter + 'a' - 'A') : letter;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
