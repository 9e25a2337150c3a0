package dev.semel.examples.quarkus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The application as it was built, in a process of its own, on a free port of loopback. */
final class QuarkusProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("Listening on: http://127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final int port;

    QuarkusProcess(Path folder) throws IOException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx256m",
                        "-Dquarkus.http.port=0",
                        "-Dsemel.store=sqlite:" + folder.resolve("semel.db"),
                        "-jar",
                        "target/quarkus-app/quarkus-run.jar")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            port = Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> listeningPort(Files.readString(output)), found -> found > 0);
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw new IllegalStateException(Files.readString(output), e);
        }
    }

    private int listeningPort(String output) {
        Matcher line = LISTENING.matcher(output);
        if (line.find()) {
            return Integer.parseInt(line.group(1));
        }
        if (!process.isAlive()) {
            throw new IllegalStateException("the application has ended");
        }
        return 0;
    }

    int port() {
        return port;
    }

    /** Ends the process as a crash does. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
