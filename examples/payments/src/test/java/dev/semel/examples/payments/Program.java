package dev.semel.examples.payments;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A main class in a separate process, with this test's class path. */
final class Program implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path directory;
    private final Path out;
    private final Path err;

    private Program(Process process, Path directory, Path out, Path err) {
        this.process = process;
        this.directory = directory;
        this.out = out;
        this.err = err;
    }

    static Program start(Class<?> main, String... arguments) {
        try {
            Path directory = Files.createTempDirectory("program");
            Path out = directory.resolve("out");
            Path err = directory.resolve("err");
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            if (Runtime.version().feature() >= 22) {
                command.add("--enable-native-access=ALL-UNNAMED");
            }
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Program(process, directory, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the line that names the address. */
    URI awaitReady(String announcement) {
        Pattern line = Pattern.compile("^" + Pattern.quote(announcement) + ": (http://\\S+)$", Pattern.MULTILINE);
        Optional<String> uri = await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            Matcher matcher = line.matcher(output());
                            if (matcher.find()) {
                                return Optional.of(matcher.group(1));
                            }
                            if (!process.isAlive()) {
                                throw new IllegalStateException("ended before it was ready: " + output() + errors());
                            }
                            return Optional.empty();
                        },
                        Optional::isPresent);
        return URI.create(uri.orElseThrow());
    }

    /** Sends SIGKILL. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Sends SIGTERM, as a service manager does. */
    int terminate() {
        process.destroy();
        return awaitExit();
    }

    int awaitExit() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("still running: " + output() + errors());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String output() {
        return read(out);
    }

    String errors() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
        try {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
