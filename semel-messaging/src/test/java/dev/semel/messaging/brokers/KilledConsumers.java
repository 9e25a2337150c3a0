package dev.semel.messaging.brokers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Consumer processes that are killed and replaced, each time after a number of effects.
 *
 * <p>A process prints a line for every effect before it commits it.
 */
public final class KilledConsumers implements AutoCloseable {

    static final String WRITTEN = "written";

    /** Two at a time, so that one can handle messages that the broker has taken from the other. */
    private static final int AT_A_TIME = 2;

    private final List<String> command = new ArrayList<>();
    private final int killEvery;
    private final int mostKills;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger kills = new AtomicInteger();
    private volatile boolean closed;

    private KilledConsumers(int killEvery, int mostKills, Class<?> main, List<String> arguments) {
        this.killEvery = killEvery;
        this.mostKills = mostKills;
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
    }

    public static KilledConsumers start(int killEvery, int mostKills, Class<?> main, String... arguments) {
        KilledConsumers consumers = new KilledConsumers(killEvery, mostKills, main, List.of(arguments));
        for (int i = 0; i < AT_A_TIME; i++) {
            consumers.startOne();
        }
        return consumers;
    }

    private synchronized void startOne() {
        if (closed) {
            return;
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            running.add(process);
            Thread listener = new Thread(() -> listen(process), "consumer-" + process.pid());
            listener.setDaemon(true);
            listener.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen(Process process) {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.equals(WRITTEN) && written.incrementAndGet() % killEvery == 0 && kills.get() < mostKills) {
                    kills.incrementAndGet();
                    process.destroyForcibly();
                    break;
                }
            }
        } catch (IOException e) {
            // The pipe broke with the process.
            return;
        } finally {
            process.destroyForcibly();
            running.remove(process);
            startOne();
        }
    }

    public int kills() {
        return kills.get();
    }

    @Override
    public synchronized void close() {
        closed = true;
        running.forEach(Process::destroyForcibly);
    }
}
