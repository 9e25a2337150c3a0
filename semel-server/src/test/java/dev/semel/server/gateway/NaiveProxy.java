package dev.semel.server.gateway;

import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What many take for an idempotent proxy, to show that the instrument finds its duplicates: it looks the key up in a cache,
 * forwards when it is not there, tries again when the connection breaks, and caches the answer.
 */
final class NaiveProxy implements AutoCloseable {

    private static final int TRIES = 2;

    private final ServerSocket server;
    private final int target;
    private final Map<String, Wire.Reply> cache = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    NaiveProxy(int target) {
        this.target = target;
        try {
            server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            byte[] request = read(client.getInputStream());
            String text = new String(request, StandardCharsets.ISO_8859_1);
            int at = text.indexOf("Idempotency-Key: ");
            String key = text.substring(at, text.indexOf("\r\n", at));
            Wire.Reply reply = cache.get(key);
            for (int tries = 0; reply == null && tries < TRIES; tries++) {
                reply = forward(request);
            }
            int status = reply == null ? 502 : reply.status();
            if (reply != null) {
                cache.put(key, reply);
            }
            OutputStream out = client.getOutputStream();
            out.write(("HTTP/1.1 " + status + " Answer\r\nContent-Length: 0\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException | RuntimeException e) {
            // A client that sent no whole request gets no answer.
        }
    }

    private Wire.Reply forward(byte[] request) {
        try (Socket service = new Socket(InetAddress.getLoopbackAddress(), target)) {
            service.setSoTimeout(2000);
            service.getOutputStream().write(request);
            service.getOutputStream().flush();
            Wire.Reply reply = Wire.Reply.read(service.getInputStream());
            String length = reply.first("Content-Length").orElse("0");
            return reply.body().length == Integer.parseInt(length) ? reply : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed");
            }
            head.append((char) b);
        }
        int at = head.indexOf("Content-Length: ") + "Content-Length: ".length();
        int length = Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("closed");
        }
        return (head + new String(body, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
