package dev.semel.benchmarks.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link Child} in a virtual machine of its own. */
final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final Writer to;
    private final BufferedReader from;
    private final int port;

    private ChildProcess(Process process) throws IOException {
        this.process = process;
        this.to = process.outputWriter(StandardCharsets.UTF_8);
        this.from = process.inputReader(StandardCharsets.UTF_8);
        String ready = lineWith(Child.READY);
        this.port = Integer.parseInt(ready.substring(ready.indexOf(Child.READY) + Child.READY.length())
                .split("[^0-9]", 2)[0]);
    }

    /**
     * Starts one, and waits until it listens.
     *
     * @param heap the size of its heap, such as 512m
     */
    static ChildProcess start(String heap, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                return new ChildProcess(process);
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

    /** The processor time that it has used so far. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** What it holds, after a collection. */
    Usage usage() {
        try {
            to.write("\n");
            to.flush();
            String line = lineWith(Child.USAGE);
            return Usage.ofLine(line.substring(Child.USAGE.length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String lineWith(String text) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IllegalStateException("a process of the gateway suite ended; its last words are above");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
