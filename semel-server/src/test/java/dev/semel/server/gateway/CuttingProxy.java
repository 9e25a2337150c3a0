package dev.semel.server.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A relay of bytes that cuts or stalls connections, each after its own number of bytes; those without a cut pass whole. */
final class CuttingProxy implements AutoCloseable {

    /** How a connection breaks. */
    enum Break {
        /** Closed in order, as by a process that ends. */
        CLOSE,
        /** Reset, as by a machine that restarts. */
        RESET,
        /** Open, without another byte. */
        STALL
    }

    /**
     * Where one connection breaks.
     *
     * @param ofAnswer whether the bytes of the answer count, or those of the request
     * @param after how many bytes still pass
     */
    record Cut(Break how, boolean ofAnswer, int after) {}

    private final ServerSocket server;
    private final int target;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Cut> cuts = new ConcurrentLinkedQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    final AtomicInteger requestBytes = new AtomicInteger();
    final AtomicInteger answerBytes = new AtomicInteger();

    CuttingProxy(int target) {
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

    /** Gives the next connection without a cut this one. */
    void add(Cut cut) {
        cuts.add(cut);
    }

    boolean isUsedUp() {
        return cuts.isEmpty();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Socket service = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(service);
                Cut cut = cuts.poll();
                threads.execute(() -> relay(client, service, cut, false));
                threads.execute(() -> relay(service, client, cut, true));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void relay(Socket from, Socket to, @Nullable Cut cut, boolean answer) {
        boolean counts = cut != null && cut.ofAnswer() == answer;
        int left = counts ? cut.after() : Integer.MAX_VALUE;
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (left > 0) {
                int read = in.read(buffer, 0, Math.min(buffer.length, left));
                if (read < 0) {
                    to.shutdownOutput();
                    return;
                }
                (answer ? answerBytes : requestBytes).addAndGet(read);
                out.write(buffer, 0, read);
                out.flush();
                left -= read;
            }
            broken(cut, from, to);
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void broken(@Nullable Cut cut, Socket from, Socket to) throws IOException {
        if (cut == null || cut.how() == Break.STALL) {
            return;
        }
        if (cut.how() == Break.RESET) {
            from.setSoLinger(true, 0);
            to.setSoLinger(true, 0);
        }
        from.close();
        to.close();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(CuttingProxy::close);
        threads.shutdownNow();
    }
}
