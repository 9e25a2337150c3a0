package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator {@code h2load}, for HTTP/2 in clear text. All requests of a run have one key. */
final class H2load implements Generator {

    /** How to get it. */
    static final String INSTALL =
            "h2load is not installed, and a slower generator takes its place; on Debian: apt-get install nghttp2-client";

    private static final Pattern DONE = Pattern.compile("requests: .*?, (\\d+) succeeded, (\\d+) failed");

    private final Path body;

    private H2load(Path body) {
        this.body = body;
    }

    static boolean isInstalled() {
        return Installed.answers("h2load", "--version");
    }

    /** @param directory where the body of the requests is written */
    static H2load in(Path directory) {
        Path body = directory.resolve("payment.json");
        try {
            Files.writeString(body, BODY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new H2load(body);
    }

    @Override
    public long run(int port, String path, int connections, Duration length) {
        List<String> command = List.of(
                "h2load",
                "--threads=1",
                "--clients=" + connections,
                "--max-concurrent-streams=1",
                "--duration=" + Math.max(1, Math.round(length.toMillis() / 1e3)),
                "--data=" + body,
                "--header=content-type: application/json",
                "--header=idempotency-key: " + UUID.randomUUID(),
                "http://127.0.0.1:" + port + path);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            Matcher done = DONE.matcher(output);
            if (code != 0 || !done.find() || !done.group(2).equals("0")) {
                throw new IllegalStateException("h2load saw failures (" + String.join(" ", command) + "):\n" + output);
            }
            return Long.parseLong(done.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
