package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator {@code wrk}, for HTTP/1.1. */
final class Wrk implements Generator {

    /** How to get it. */
    static final String INSTALL =
            "wrk is not installed, and a slower generator takes its place;" + " on Debian: apt-get install wrk";

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern ERRORS = Pattern.compile("Non-2xx or 3xx responses: .*|Socket errors: .*");
    private static final int KEY_DIGITS = 24;

    private final Path script;

    private Wrk(Path script) {
        this.script = script;
    }

    static boolean isInstalled() {
        return Installed.answers("wrk", "-v");
    }

    /** @param directory where its script is written */
    static Wrk in(Path directory) {
        Path script = directory.resolve("payments.lua");
        try (InputStream text = Objects.requireNonNull(Wrk.class.getResourceAsStream("payments.lua"))) {
            Files.copy(text, script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Wrk(script);
    }

    @Override
    public long run(int port, String path, int connections, Duration length) {
        List<String> command = List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + Math.max(1, Math.round(length.toMillis() / 1e3)) + "s",
                // Answers are waited for on a busy machine, too.
                "--timeout",
                "60s",
                "-s",
                script.toString(),
                "http://127.0.0.1:" + port + path,
                "--",
                UUID.randomUUID().toString().substring(0, KEY_DIGITS));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            Matcher requests = REQUESTS.matcher(output);
            if (code != 0 || ERRORS.matcher(output).find() || !requests.find()) {
                throw new IllegalStateException("wrk saw failures (" + String.join(" ", command) + "):\n" + output);
            }
            return Long.parseLong(requests.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
