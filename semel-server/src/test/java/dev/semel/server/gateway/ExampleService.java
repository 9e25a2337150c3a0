package dev.semel.server.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service of {@code examples/gateway} in a process of its own, which can be killed and started again on its port. */
final class ExampleService implements AutoCloseable {

    static final Path FOLDER = Path.of("../examples/gateway");

    private static final String LISTENING = "listening ";

    /** Longer than any test, which kills the service in its pause. */
    private static final String PAUSE_SECONDS = "600";

    /** What a service is written in. */
    enum Language {
        PYTHON("python3", "payments.py"),
        NODE("node", "payments.mjs");

        private final String command;
        private final String file;

        Language(String command, String file) {
            this.command = command;
            this.file = file;
        }
    }

    private final Language language;
    private final Path ledger;
    private final int port;
    private Process process;
    private BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ExampleService(Language language, Path ledger, Set<String> pauses)
            throws IOException, InterruptedException {
        this.language = language;
        this.ledger = ledger;
        this.process = start(0, pauses);
        this.port = Integer.parseInt(await(LISTENING).substring(LISTENING.length()));
    }

    /** @param pauses the names of the variables that make it pause, as long as it is not started again */
    static ExampleService start(Language language, Path ledger, String... pauses)
            throws IOException, InterruptedException {
        requireOnPath(language.command);
        return new ExampleService(language, ledger, Set.of(pauses));
    }

    private static void requireOnPath(String command) {
        boolean found = Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
        if (!found) {
            throw new IllegalStateException("this test runs a service with '" + command
                    + "', which is not on the PATH: install it (Debian: apt-get install python3 nodejs)");
        }
    }

    private Process start(int on, Set<String> pauses) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        language.command,
                        FOLDER.resolve(language.file).toString(),
                        String.valueOf(on),
                        ledger.toString())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PAUSE_"));
        pauses.forEach(name -> builder.environment().put(name, PAUSE_SECONDS));
        BlockingQueue<String> output = new LinkedBlockingQueue<>();
        lines = output;
        Process started = builder.start();
        Thread reader = new Thread(() -> read(started, output), "output of the service");
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private static void read(Process process, BlockingQueue<String> output) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            output.add("the output ended: " + e.getMessage());
        }
    }

    /** Waits for a line that begins like this. */
    String await(String beginning) throws InterruptedException {
        StringBuilder seen = new StringBuilder();
        while (true) {
            String line = lines.poll(60, TimeUnit.SECONDS);
            if (line == null) {
                throw new IllegalStateException(
                        "the service printed no line that begins with '" + beginning + "': " + seen);
            }
            if (line.startsWith(beginning)) {
                return line;
            }
            seen.append(line).append('\n');
        }
    }

    int port() {
        return port;
    }

    /** How many payments of an order are in the ledger. */
    long booked(String order) throws IOException {
        return Files.exists(ledger)
                ? Files.readAllLines(ledger).stream()
                        .filter(line -> line.contains("\"" + order + "\""))
                        .count()
                : 0;
    }

    /** Ends it with SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Starts it on the same port and ledger, without pauses. */
    void restart() throws IOException, InterruptedException {
        process = start(port, Set.of());
        await(LISTENING);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
