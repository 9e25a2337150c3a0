package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Many connections to one port, from one thread: some stay idle after a request, others send one byte at a time. */
final class HeldClients implements AutoCloseable {

    /** From each of several addresses of loopback: one has some 28,000 ports. */
    private static final int CLIENTS_PER_ADDRESS = 4_000;

    private static final int FIRST_ADDRESS = 2;

    private final int port;
    private final List<SocketChannel> open = new ArrayList<>();
    private final List<Slow> slow = new ArrayList<>();

    private record Slow(SocketChannel channel, ByteBuffer request) {}

    HeldClients(int port) {
        this.port = port;
    }

    /** Opens connections, has one request answered on each, and leaves them. */
    void addIdle(int count) {
        byte[] request = "GET /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < count; i++) {
            try {
                SocketChannel channel = connect();
                write(channel, ByteBuffer.wrap(request));
                requireCreated(channel);
            } catch (IOException e) {
                throw new UncheckedIOException("the connection " + i + " failed: " + e.getMessage(), e);
            }
        }
    }

    /** Opens connections that have sent the head of a protected request, and the first byte of its body. */
    void addSlow(int count) {
        for (int i = 0; i < count; i++) {
            byte[] request = ("POST " + Landscape.PROTECTED + " HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: "
                            + UUID.randomUUID()
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + Generator.BODY.length()
                            + "\r\n\r\n" + Generator.BODY)
                    .getBytes(StandardCharsets.US_ASCII);
            try {
                SocketChannel channel = connect();
                int head = request.length - Generator.BODY.length();
                write(channel, ByteBuffer.wrap(request, 0, head + 1));
                slow.add(new Slow(channel, ByteBuffer.wrap(request, head + 1, request.length - head - 1)));
            } catch (IOException e) {
                throw new UncheckedIOException("the slow client " + i + " failed: " + e.getMessage(), e);
            }
        }
    }

    /** Has each slow client send one more byte. */
    void trickle() throws IOException {
        for (Slow each : slow) {
            write(each.channel(), each.request().slice(each.request().position(), 1));
            each.request().position(each.request().position() + 1);
        }
    }

    /** Has each slow client send the rest, and wait for its answer. */
    void finish() throws IOException {
        for (Slow each : slow) {
            write(each.channel(), each.request());
        }
        for (Slow each : slow) {
            requireCreated(each.channel());
        }
    }

    /** How many idle connections the other side has closed. */
    int closed() throws IOException {
        int closed = 0;
        for (SocketChannel channel : open) {
            channel.configureBlocking(false);
            if (channel.read(ByteBuffer.allocate(1)) < 0) {
                closed++;
            }
            channel.configureBlocking(true);
        }
        return closed;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        int address = FIRST_ADDRESS + open.size() / CLIENTS_PER_ADDRESS;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) address}), 0));
        channel.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
        open.add(channel);
        return channel;
    }

    private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Reads what has arrived of an answer; answers here fit into one packet. */
    private static void requireCreated(SocketChannel channel) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(4096);
        int read = channel.read(answer);
        String text = new String(answer.array(), 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
        if (!text.startsWith("HTTP/1.1 201 ")) {
            throw new IOException("it was not answered with 201 but: " + text);
        }
    }

    @Override
    public void close() {
        for (SocketChannel channel : open) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
