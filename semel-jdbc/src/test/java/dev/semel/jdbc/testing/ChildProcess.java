package dev.semel.jdbc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of its own that exchanges lines with a test.
 *
 * <p>It says {@code ready}, starts when it reads a line, ends its report with {@code confirmed}, and then waits for
 * another line, or to be killed.
 */
public final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private ChildProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the main method of this class, and waits until it is ready. */
    public static ChildProcess start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        Stream.of(arguments).forEach(command::add);
        ChildProcess started = new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        started.readUntil("ready");
        return started;
    }

    /** What a child does between {@code ready} and {@code confirmed}. */
    public interface Task {
        void run() throws Exception;
    }

    /** The child's side of the talk. */
    public static void serve(Task task) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        input.readLine();
        task.run();
        System.out.println("confirmed");
        input.readLine();
    }

    /** Starts its task. */
    public void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Waits until it has done everything; what it said meanwhile. */
    public List<String> report() throws IOException {
        return readUntil("confirmed");
    }

    /** Waits until it says this; what it said before. */
    public List<String> readUntil(String last) throws IOException {
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
    public void kill() throws InterruptedException {
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
