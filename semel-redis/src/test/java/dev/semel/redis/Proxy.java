package dev.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP proxy that can drop data. */
public final class Proxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final ServerSocket listener;
    private final int upstream;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean losingReply = new AtomicBoolean();
    private volatile boolean droppingAll;

    Proxy(int upstream) throws IOException {
        this.upstream = upstream;
        this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    String uri() {
        return "redis://127.0.0.1:" + port();
    }

    /** Returns how many connections were accepted so far. */
    int connections() {
        return connections.get();
    }

    /** Drops all further data of the existing connections, and keeps them open; new ones work. */
    void drop() {
        pairs.forEach(pair -> pair.dropping = true);
    }

    /** Drops all further data of all connections. */
    void dropAll() {
        droppingAll = true;
        drop();
    }

    /** Closes the connection instead of passing on the server's next reply. */
    void loseNextReply() {
        losingReply.set(true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Pair pair = new Pair(client, new Socket(InetAddress.getLoopbackAddress(), upstream));
                connections.incrementAndGet();
                pairs.add(pair);
                start(() -> pair.pump(pair.client, pair.server, false));
                start(() -> pair.pump(pair.server, pair.client, true));
            } catch (IOException e) {
                // The proxy is closed, or the server is down.
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        pairs.forEach(Pair::end);
    }

    private final class Pair {

        private final Socket client;
        private final Socket server;
        private volatile boolean dropping;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean fromServer) {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    if (fromServer && losingReply.compareAndSet(true, false)) {
                        break;
                    }
                    if (!dropping && !droppingAll) {
                        out.write(buffer, 0, length);
                    }
                }
            } catch (IOException e) {
                // One side is closed: the other is closed below.
            }
            end();
        }

        /** Closes regularly, without a reset: the client would take that for a failure of its oldest call. */
        void end() {
            pairs.remove(this);
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // It is closed already.
                }
            }
        }
    }
}
