package dev.semel.testsupport.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** HTTP/1.1 over a plain socket, one request to a connection, so that every byte is seen as it is sent. */
public final class Wire {

    private static final int PATIENCE_MILLIS = 30_000;

    private Wire() {}

    /** A request that is put together line by line. */
    public static final class Request {

        private final String line;
        private final List<String> headers = new ArrayList<>();
        private byte[] body = new byte[0];
        private boolean chunked;

        public Request(String method, String target) {
            this.line = method + " " + target + " HTTP/1.1";
        }

        public Request header(String name, String value) {
            headers.add(name + ": " + value);
            return this;
        }

        public Request key(String key) {
            return header("Idempotency-Key", key);
        }

        public Request user(String name) {
            return header("X-User", name);
        }

        public Request body(String contentType, byte[] content) {
            body = content;
            return header("Content-Type", contentType);
        }

        public Request json(String text) {
            return body("application/json", text.getBytes(StandardCharsets.UTF_8));
        }

        public Request chunked() {
            chunked = true;
            return this;
        }

        public byte[] head() {
            StringBuilder head = new StringBuilder(line).append("\r\nHost: localhost\r\nConnection: close\r\n");
            headers.forEach(header -> head.append(header).append("\r\n"));
            head.append(chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length);
            return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        public Socket open(int port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(PATIENCE_MILLIS);
            // In one piece: a server that answers before the end of a body closes the connection on the rest.
            socket.getOutputStream().write(bytes());
            socket.getOutputStream().flush();
            return socket;
        }

        private byte[] bytes() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(head());
            if (!chunked) {
                out.writeBytes(body);
                return out.toByteArray();
            }
            for (int at = 0; at < body.length; at += 7) {
                int length = Math.min(7, body.length - at);
                out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(body, at, length);
                out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return out.toByteArray();
        }

        public Reply send(int port) {
            try (Socket socket = open(port)) {
                return Reply.read(socket.getInputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A response, with every header line as it was received. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Reply(int status, List<String> headers, byte[] body) {

        public static Reply read(InputStream in) throws IOException {
            String head = readHead(in);
            String[] lines = head.split("\r\n", -1);
            List<String> headers = List.of(lines).subList(1, lines.length);
            int status = Integer.parseInt(lines[0].split(" ", -1)[1]);
            Reply bare = new Reply(status, headers, new byte[0]);
            if (status == 204 || status == 304) {
                return bare;
            }
            byte[] body = bare.first("Transfer-Encoding").isPresent()
                    ? dechunked(in)
                    : bare.first("Content-Length")
                            .map(length -> readBody(in, Integer.parseInt(length)))
                            .orElseGet(() -> readBody(in, Integer.MAX_VALUE));
            return new Reply(status, headers, body);
        }

        private static byte[] readBody(InputStream in, int length) {
            try {
                return in.readNBytes(length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String readHead(InputStream in) throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    throw new IOException("the connection was closed after: " + head);
                }
                head.write(b);
            }
            return head.toString(StandardCharsets.ISO_8859_1).strip();
        }

        private static byte[] dechunked(InputStream in) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            while (true) {
                StringBuilder size = new StringBuilder();
                for (int b = in.read(); b != '\n'; b = in.read()) {
                    if (b < 0) {
                        throw new IOException("the connection was closed in the middle of a response");
                    }
                    size.append((char) b);
                }
                int length = Integer.parseInt(size.toString().strip(), 16);
                body.write(in.readNBytes(length));
                in.readNBytes(2);
                if (length == 0) {
                    return body.toByteArray();
                }
            }
        }

        public List<String> all(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .toList();
        }

        public Optional<String> first(String name) {
            return all(name).stream().findFirst();
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public boolean replayed() {
            return all("Idempotency-Replayed").equals(List.of("true"));
        }

        /** Everything by which a client could distinguish two responses, without what belongs to one moment. */
        public String essence() {
            List<String> kept = headers.stream()
                    .filter(line ->
                            !line.matches("(?i)(date|idempotency-(replayed|key|age|expires)|connection|server):.*"))
                    .sorted()
                    .toList();
            return status + " " + kept + " " + new String(body, StandardCharsets.ISO_8859_1);
        }
    }
}
