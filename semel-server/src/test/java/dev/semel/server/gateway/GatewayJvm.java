package dev.semel.server.gateway;

import dev.semel.server.cli.SemelCli;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A gateway in a process of its own, started by its command on free ports. */
final class GatewayJvm implements AutoCloseable {

    private static final String READY = "Semel gateway is ready: http://127.0.0.1:";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final int port;

    private GatewayJvm(Process process) throws IOException, InterruptedException {
        this.process = process;
        Thread reader = new Thread(this::read, "output of the gateway");
        reader.setDaemon(true);
        reader.start();
        String ready = await(READY);
        this.port = Integer.parseInt(ready.substring(READY.length(), ready.indexOf(' ', READY.length())));
    }

    static GatewayJvm start(Path config) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (ignoresHangUp()) {
            command.addAll(List.of("env", "--default-signal=HUP"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SemelCli.class.getName(),
                "gateway",
                "--config",
                config.toString(),
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0"));
        return new GatewayJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Whether this process ignores SIGHUP, as under nohup: a child inherits that, and a JVM then takes no handler for it. */
    private static boolean ignoresHangUp() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElse("0");
        return (Long.parseUnsignedLong(ignored, 16) & 1) != 0;
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("the output ended: " + e.getMessage());
        }
    }

    /** Waits for a line that begins like this. */
    String await(String beginning) throws InterruptedException {
        while (true) {
            String line = lines.poll(60, TimeUnit.SECONDS);
            if (line == null) {
                throw new IllegalStateException("the gateway printed no line that begins with: " + beginning);
            }
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }

    int port() {
        return port;
    }

    /** Sends a signal, such as HUP or TERM. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Ends it as a power failure would, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
