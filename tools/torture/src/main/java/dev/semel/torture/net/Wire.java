package dev.semel.torture.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One question and one answer over one connection, each a line of percent-encoded words. */
public final class Wire {

    private Wire() {}

    /** The connection was not made, so nothing was sent. */
    public static final class NotSentException extends IOException {
        private static final long serialVersionUID = 1;

        NotSentException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Makes a line of words. */
    public static String line(List<String> words) {
        return words.stream()
                .map(word -> URLEncoder.encode(word, StandardCharsets.UTF_8))
                .collect(Collectors.joining(" "));
    }

    /** Makes words of a line. */
    public static List<String> words(String line) {
        return Arrays.stream(line.split(" ", -1))
                .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                .toList();
    }

    /**
     * Asks a process of this machine.
     *
     * @throws NotSentException when it cannot have received the question
     * @throws IOException when it may have received the question, and did not answer in time
     */
    public static List<String> ask(int port, Duration patience, List<String> question) throws IOException {
        try (Socket socket = new Socket()) {
            try {
                socket.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) patience.toMillis());
            } catch (IOException e) {
                throw new NotSentException(e);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            send(socket.getOutputStream(), question);
            List<String> answer = receive(socket.getInputStream());
            // Everything has been read. A reset leaves no connection behind that waits for late packets: thousands of
            // short conversations a minute would use up the ports.
            socket.setSoLinger(true, 0);
            if (answer == null) {
                throw new IOException("the connection ended without an answer");
            }
            return answer;
        }
    }

    static void send(OutputStream out, List<String> words) throws IOException {
        out.write((line(words) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Reads one line; null when the other side hung up first. */
    static @Nullable List<String> receive(InputStream in) throws IOException {
        String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        return line == null ? null : words(line);
    }
}
