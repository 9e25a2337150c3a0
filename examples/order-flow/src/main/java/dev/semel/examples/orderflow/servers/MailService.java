package dev.semel.examples.orderflow.servers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A simulated mail provider. It sends every mail that it receives, duplicates too: one line in a file for each, synced to disk
 * before the answer. Clients can query whether it has sent a mail with a key.
 */
public final class MailService implements AutoCloseable {

    private final HttpServer server;
    private final Path file;

    private MailService(HttpServer server, Path file) {
        this.server = server;
        this.file = file;
    }

    /**
     * Starts the provider.
     *
     * @param port 0 for any
     */
    public static MailService start(int port, Path file) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        MailService service = new MailService(server, file);
        server.createContext("/mails", service::handle);
        server.start();
        return service;
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Every sent mail: its key and its content. */
    public synchronized List<String> sent() throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestMethod().equals("POST")) {
                send(exchange.getRequestHeaders().getFirst("Idempotency-Key"), exchange);
            } else {
                find(exchange);
            }
        }
    }

    private void send(String key, HttpExchange exchange) throws IOException {
        String mail = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        append(key + " " + mail.replace('\n', ' ') + "\n");
        exchange.sendResponseHeaders(202, -1);
    }

    private synchronized void append(String line) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }

    /** All mails, or those of a key. */
    private void find(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String prefix = query == null || !query.startsWith("key=")
                ? ""
                : URLDecoder.decode(query.substring("key=".length()), StandardCharsets.UTF_8) + " ";
        List<String> found =
                sent().stream().filter(line -> line.startsWith(prefix)).toList();
        byte[] body = String.join("\n", found).concat("\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(found.isEmpty() && !prefix.isEmpty() ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
