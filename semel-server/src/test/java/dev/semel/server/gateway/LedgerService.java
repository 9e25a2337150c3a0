package dev.semel.server.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that is no part of Semel: it reads requests from plain sockets, writes each that it received whole into its ledger,
 * and answers. One request to a connection, unless it is set to keep them.
 */
final class LedgerService implements AutoCloseable {

    /** Answers a request; what it returns is written as it is. */
    interface Work {
        byte[] on(Received request) throws Exception;
    }

    /** A request that arrived whole. */
    record Received(String line, String head, String body) {

        String header(String name) {
            for (String line : head.split("\r\n")) {
                if (line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":")) {
                    return line.substring(name.length() + 1).strip();
                }
            }
            return "";
        }
    }

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Thread acceptor = new Thread(this::accept, "ledger-service-accept");
    private final Map<String, AtomicInteger> ledger = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Socket> served = new ThreadLocal<>();
    volatile Work work = request -> created("{\"paid\":true}");
    volatile boolean keepsConnections;

    /** Whether it says so in the answer when it closes the connection after it. */
    volatile boolean announcesClose = true;

    volatile String lastHead = "";

    /** How many connections were accepted. */
    final AtomicInteger connections = new AtomicInteger();

    /** The request lines that arrived. */
    final Queue<String> lines = new ConcurrentLinkedQueue<>();

    LedgerService() {
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        acceptor.start();
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** How often a request with this key was executed. */
    int executions(String key) {
        AtomicInteger count = ledger.get(key);
        return count == null ? 0 : count.get();
    }

    int executions() {
        return ledger.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    static byte[] created(String json) {
        return ("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: " + json.length()
                        + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    /** Writes a part of an answer; to be called by {@link Work}. */
    void write(String part) throws IOException {
        served.get().getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
        served.get().getOutputStream().flush();
    }

    private void serve(Socket socket) {
        served.set(socket);
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            do {
                Received request = read(in);
                if (request == null) {
                    return;
                }
                lastHead = request.head();
                lines.add(request.line());
                ledger.computeIfAbsent(request.header("Idempotency-Key"), key -> new AtomicInteger())
                        .incrementAndGet();
                socket.getOutputStream().write(announced(work.on(request)));
                socket.getOutputStream().flush();
            } while (keepsConnections);
        } catch (Exception e) {
            // The peer has gone; the test looks at the ledger.
        } finally {
            open.remove(socket);
        }
    }

    private byte[] announced(byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        if (keepsConnections || !announcesClose || !text.startsWith("HTTP/1.1 ") || text.contains("Connection: ")) {
            return answer;
        }
        return text.replaceFirst("\r\n", "\r\nConnection: close\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** How many connections are open. */
    int openConnections() {
        return open.size();
    }

    /** Returns null unless the request arrived whole. */
    private static Received read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            bytes.write(b);
        }
        String head = bytes.toString(StandardCharsets.ISO_8859_1);
        Received bare = new Received(head.substring(0, head.indexOf("\r\n")), head, "");
        String length = bare.header("Content-Length");
        int expected = length.isEmpty() ? 0 : Integer.parseInt(length);
        byte[] body = in.readNBytes(expected);
        return body.length < expected
                ? null
                : new Received(bare.line(), head, new String(body, StandardCharsets.UTF_8));
    }

    /** Closes the connections that are open now, as a service does that is killed. */
    void cutConnections() {
        for (Socket socket : open) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException e) {
                // It was closed at the same moment by the thread that serves it.
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /**
     * Ends the service: from here on, connections are refused. While its thread is still in {@code accept}, the kernel goes on to
     * accept connections for a closed socket, so that this waits for the thread to end.
     */
    @Override
    public void close() {
        try {
            server.close();
            acceptor.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the service was closed", e);
        }
        cutConnections();
        threads.shutdownNow();
    }
}
