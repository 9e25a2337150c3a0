package dev.semel.benchmarks.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A {@link PaymentServer} in a virtual machine of its own, with the settings that virtual machines have by default but for
 * the size of the heap.
 *
 * <p>It reads its orders line by line, so that no command line shows a password, and ends when its input does, also
 * when this process is killed.
 */
final class ServerProcess implements AutoCloseable {

    private final Process process;
    private final Writer to;
    private final BufferedReader from;
    private final int port;

    private ServerProcess(Process process, Protection protection) throws IOException {
        this.process = process;
        this.to = process.outputWriter(StandardCharsets.UTF_8);
        this.from = process.inputReader(StandardCharsets.UTF_8);
        send(protection.toLine());
        String ready = lineWith(PaymentServer.READY);
        this.port = Integer.parseInt(ready.substring(ready.indexOf(PaymentServer.READY) + PaymentServer.READY.length())
                .split("[^0-9]", 2)[0]);
    }

    /** Starts a server. */
    static ServerProcess start(Protection protection) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms1g",
                "-Xmx1g",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                PaymentServer.class.getName());
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                return new ServerProcess(process, protection);
            } catch (IOException | RuntimeException e) {
                process.destroyForcibly();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** The processor time that the server has used so far. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Has the server drop the records of a store that would otherwise fill its memory. */
    void forget() {
        try {
            ask(PaymentServer.FORGET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has a hand-written filter use a pool of this size. */
    void resizePool(int size) {
        try {
            ask(PaymentServer.POOL + size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ask(String line) throws IOException {
        send(line);
        lineWith(line);
    }

    private void send(String line) throws IOException {
        to.write(line + "\n");
        to.flush();
    }

    private String lineWith(String text) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IllegalStateException("a server of the HTTP suite ended; its last words are above");
    }

    @Override
    public void close() {
        try {
            to.close();
            process.waitFor();
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
