package dev.semel.torture.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers questions on a port of this machine, each on a thread of its own. */
public final class WireServer implements AutoCloseable {

    /** A connection that is refused because the queue is full would look like a fault. */
    private static final int BACKLOG = 1000;

    /** What is answered; empty hangs up without a word. */
    public interface Handler {
        CompletionStage<Optional<List<String>>> answer(List<String> question);
    }

    private final ServerSocket socket;
    private final Handler handler;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "wire");
        thread.setDaemon(true);
        return thread;
    });

    /** Starts to listen, on any free port. */
    public WireServer(Handler handler) throws IOException {
        this.handler = handler;
        socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        threads.execute(this::listen);
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                threads.execute(() -> converse(caller));
            } catch (IOException e) {
                // Closed, or a caller that was gone before it was greeted.
            }
        }
    }

    private void converse(Socket caller) {
        try (caller) {
            caller.setTcpNoDelay(true);
            List<String> question = Wire.receive(caller.getInputStream());
            if (question == null) {
                return;
            }
            Optional<List<String>> answer =
                    handler.answer(question).toCompletableFuture().join();
            if (answer.isPresent()) {
                Wire.send(caller.getOutputStream(), answer.get());
                // The caller hangs up first.
                caller.getInputStream().read();
            }
        } catch (IOException | CompletionException e) {
            // The caller has gone, or there is no answer: closing the connection means both.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
