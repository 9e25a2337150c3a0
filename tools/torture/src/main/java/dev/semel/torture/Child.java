package dev.semel.torture;

import dev.semel.testsupport.servers.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Java process of this run: it prints lines, is sent lines, and ends when its standard input does. */
final class Child implements AutoCloseable {

    private final Process process;
    private final CountDownLatch silent = new CountDownLatch(1);

    private Child(Process process) {
        this.process = process;
    }

    /**
     * Starts a main class on this process's class path.
     *
     * @param errors what it writes to its standard error is appended here
     * @param listener gets every line that the process prints, on a thread of its own
     */
    static Child start(Class<?> main, Path errors, Consumer<String> listener, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-Dslf4j.internal.verbosity=ERROR"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
            Child child = new Child(process);
            Threads.start(main.getSimpleName() + "-" + process.pid(), () -> child.listen(listener));
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(Consumer<String> listener) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            // The pipe broke with the process: what it had to say has been said.
            return;
        } finally {
            silent.countDown();
        }
    }

    /** Sends a line; it is lost if the process has ended. */
    void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The process is ending, which awaitEnd() reports.
            return;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process with SIGKILL, and waits until everything that it printed was read. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException {
        process.waitFor();
        silent.await(10, TimeUnit.SECONDS);
    }

    void stop() {
        Signals.pause(process.toHandle());
    }

    void goOn() {
        Signals.resume(process.toHandle());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
