package dev.semel.torture.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy between one process and a database's server that can cut, stall and swallow what passes.
 *
 * <p>Threads are daemons; closing ends all connections.
 */
public final class TcpProxy implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;
    private static final int CONNECT_MILLIS = 3_000;

    private final ServerSocket listener;
    private final InetSocketAddress upstream;
    private final Protocol protocol;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger bytesUntilCut = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicBoolean loseNextAnswer = new AtomicBoolean();
    private volatile boolean refusing;
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** Starts to listen on a free port of this machine. */
    public TcpProxy(InetSocketAddress upstream, Protocol protocol) throws IOException {
        this.upstream = upstream;
        this.protocol = protocol;
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Resets all connections. */
    public void drop() {
        links.forEach(Link::reset);
    }

    /** Resets all connections and every new one, until {@link #admit()}. */
    public void refuse() {
        refusing = true;
        drop();
    }

    public void admit() {
        refusing = false;
    }

    /** Lets nothing pass until {@link #flow()}; connections stay open. */
    public synchronized void stall() {
        if (open.getCount() == 0) {
            open = new CountDownLatch(1);
        }
    }

    public synchronized void flow() {
        open.countDown();
    }

    /** Resets the connection on which this many more bytes will have come from the server. */
    public void cutAfter(int bytes) {
        bytesUntilCut.set(bytes);
    }

    /** Drops the next answer that ends a transaction, and resets its connection: committed, without a confirmation. */
    public void loseNextAnswer() {
        loseNextAnswer.set(true);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                start(() -> connect(client));
            } catch (IOException e) {
                // Closed, or a client that was gone before it was greeted.
            }
        }
    }

    private void connect(Socket client) {
        Link link = new Link(client, new Socket());
        links.add(link);
        try {
            if (refusing) {
                throw new IOException("refused");
            }
            link.server.connect(upstream, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            link.server.setTcpNoDelay(true);
            start(() -> link.pump(client, link.server, false));
            link.pump(link.server, client, true);
        } catch (IOException e) {
            link.reset();
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
        flow();
        drop();
    }

    private final class Link {

        private final Socket client;
        private final Socket server;
        private final Conversation conversation = protocol.newConversation(loseNextAnswer);

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean answering) {
            byte[] buffer = new byte[BUFFER];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    open.await();
                    byte[] passing = Arrays.copyOf(buffer, length);
                    if (answering) {
                        passing = conversation.answered(passing);
                    } else {
                        conversation.asked(passing);
                    }
                    int left = answering ? bytesUntilCut.addAndGet(-passing.length) : Integer.MAX_VALUE;
                    if (left <= 0) {
                        bytesUntilCut.set(Integer.MAX_VALUE);
                        out.write(passing, 0, Math.max(0, passing.length + left));
                        throw new IOException("cut");
                    }
                    out.write(passing);
                }
                reset();
            } catch (IOException e) {
                reset();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                reset();
            }
        }

        void reset() {
            links.remove(this);
            close(client);
            close(server);
        }

        private static void close(Socket socket) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException e) {
                // It is closed, which is what was wanted.
                return;
            }
        }
    }
}
