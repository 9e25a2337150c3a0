package dev.semel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A server on loopback that fails in one way, for a client's real exception. It counts the bytes that reached it. */
final class FaultyPeer implements AutoCloseable {

    /** The ways to fail. */
    enum Fault {
        /** Nothing listens. */
        REFUSED,
        /** The name does not exist. */
        NO_SUCH_HOST,
        /** The queue of connections is full: the connection is never made. */
        CONNECT_TIMEOUT,
        /** The request is read and never answered. */
        SILENT,
        /** The request is read, and the connection reset. */
        RESET,
        /** The request is read, and the connection closed without an answer. */
        CLOSED,
        /** The answer ends in the middle of its body. */
        CUT_OFF,
        /** What comes back is no HTTP. */
        GARBAGE,
        /** The request is read, then the connection and the server are gone: a second try is refused. */
        EXECUTED_THEN_GONE,
        /** The answer is a redirect to a server that is gone. */
        REDIRECTED_TO_GONE
    }

    private final Fault fault;
    private final ServerSocket server;
    private final int port;
    private final AtomicLong bytes = new AtomicLong();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private FaultyPeer(Fault fault, ServerSocket server) {
        this.fault = fault;
        this.server = server;
        this.port = server.getLocalPort();
    }

    static FaultyPeer that(Fault fault) throws IOException {
        ServerSocket server = new ServerSocket(0, fault == Fault.CONNECT_TIMEOUT ? 1 : 50, loopback());
        FaultyPeer peer = new FaultyPeer(fault, server);
        switch (fault) {
            case REFUSED, NO_SUCH_HOST -> server.close();
            case CONNECT_TIMEOUT -> peer.fillQueue();
            default -> {
                Thread thread = new Thread(peer::serve, "faulty-peer");
                thread.setDaemon(true);
                thread.start();
            }
        }
        return peer;
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByName("127.0.0.1");
    }

    String url() {
        return "http://" + (fault == Fault.NO_SUCH_HOST ? "no-such-host.invalid" : "127.0.0.1") + ":" + port + "/pay";
    }

    int port() {
        return port;
    }

    /** Returns how many bytes of requests arrived. */
    long bytesReceived() {
        return bytes.get();
    }

    private void fillQueue() throws IOException {
        SocketAddress address = new InetSocketAddress(loopback(), port);
        boolean full = false;
        while (!full) {
            Socket socket = new Socket();
            sockets.add(socket);
            try {
                socket.connect(address, 200);
            } catch (java.net.SocketTimeoutException e) {
                full = true;
            }
        }
    }

    private void serve() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                sockets.add(socket);
                if (fault == Fault.EXECUTED_THEN_GONE || fault == Fault.REDIRECTED_TO_GONE) {
                    server.close();
                }
                fail(socket);
            }
        } catch (IOException e) {
            // The test is over, or the client has gone.
        }
    }

    private void fail(Socket socket) throws IOException {
        readRequest(socket.getInputStream());
        switch (fault) {
            case SILENT -> {}
            case RESET -> {
                socket.setSoLinger(true, 0);
                socket.close();
            }
            case CUT_OFF -> {
                write(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\npaid");
                socket.close();
            }
            case GARBAGE -> {
                write(socket, "this is no HTTP\r\n\r\n");
                socket.close();
            }
            case REDIRECTED_TO_GONE -> {
                write(
                        socket,
                        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:" + port
                                + "/receipt\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                socket.close();
            }
            default -> socket.close();
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads up to the end of a body that ends with "}". */
    private void readRequest(InputStream in) throws IOException {
        int next = in.read();
        while (next >= 0) {
            bytes.incrementAndGet();
            if (next == '}') {
                return;
            }
            next = in.read();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
