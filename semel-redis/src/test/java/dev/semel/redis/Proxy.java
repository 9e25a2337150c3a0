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

/** A way to a server on which things get lost. */
final class Proxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final ServerSocket listener;
    private final int upstream;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean losing = new AtomicBoolean();
    private volatile boolean swallowingAll;

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

    /** How many have come so far. */
    int connections() {
        return connections.get();
    }

    /** Lets nothing pass any more over the connections that there are, which nobody is told; new ones work. */
    void swallow() {
        pairs.forEach(pair -> pair.swallowing = true);
    }

    /** Lets nothing pass any more, over no connection. */
    void swallowAll() {
        swallowingAll = true;
        swallow();
    }

    /** The next thing that the server answers ends its connection instead of arriving. */
    void loseNextAnswer() {
        losing.set(true);
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
                // Closed, or nobody is there any more.
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
        private volatile boolean swallowing;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean answering) {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    if (answering && losing.compareAndSet(true, false)) {
                        break;
                    }
                    if (!swallowing && !swallowingAll) {
                        out.write(buffer, 0, length);
                    }
                }
            } catch (IOException e) {
                // One side is gone: so is the other.
            }
            end();
        }

        /** With a regular end and not a reset, which a client takes for the failure of its oldest call. */
        void end() {
            pairs.remove(this);
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // It is closed, which is what was wanted.
                }
            }
        }
    }
}
