package dev.semel.jdbc;

import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.Store;
import dev.semel.testkit.contract.StoreVerbs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that claims and completes every key of a range, and prints those that it was granted.
 *
 * <p>It says {@code ready}, starts when it reads a line, ends its report with {@code confirmed}, and then waits to be told
 * to end, or to be killed.
 */
final class ClaimingProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private ClaimingProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static void main(String[] arguments) throws IOException {
        int keys = Integer.parseInt(arguments[1]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Store store = Stores.open(arguments[0])) {
            System.out.println("ready");
            input.readLine();
            for (int key = 0; key < keys; key++) {
                ClaimAnswer answer = StoreVerbs.await(store.claim(StoreVerbs.request("key-" + key)));
                if (answer instanceof ClaimAnswer.Granted granted) {
                    StoreVerbs.await(store.settle(granted.lease(), StoreVerbs.completed("done"), StoreVerbs.RETENTION));
                    System.out.println("key-" + key);
                }
            }
            System.out.println("confirmed");
            input.readLine();
        }
    }

    static ClaimingProcess start(String uri, int keys) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClaimingProcess.class.getName(),
                        uri,
                        String.valueOf(keys))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ClaimingProcess started = new ClaimingProcess(process);
        started.readUntil("ready");
        return started;
    }

    /** Tells it to claim. */
    void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Waits until it has done everything; what it was granted. */
    List<String> granted() throws IOException {
        return readUntil("confirmed");
    }

    private List<String> readUntil(String last) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); !last.equals(line); line = output.readLine()) {
            if (line == null) {
                throw new IOException("the process ended before it said '" + last + "', after " + lines);
            }
            lines.add(line);
        }
        return lines;
    }

    /** Ends it as a power failure of its machine would: it gets no chance to do anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        try {
            kill();
            output.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
