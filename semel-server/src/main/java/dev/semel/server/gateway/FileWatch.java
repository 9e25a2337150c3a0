package dev.semel.server.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Looks at files once a second on a thread of its own, and acts on that thread when the content of one has changed. */
final class FileWatch implements AutoCloseable {

    /** The content is compared, since the times of files that are replaced by links need not change. */
    private static final long LOOK_MILLIS = 1000;

    private final List<Path> files;
    private final Runnable action;
    private final ScheduledThreadPoolExecutor thread;
    private byte[][] seen;

    /** @param name of the thread */
    FileWatch(String name, List<Path> files, Runnable action) {
        this.files = files;
        this.action = action;
        this.seen = contents();
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Acts now, whether or not a file has changed. */
    void act() {
        thread.execute(action);
    }

    private void look() {
        byte[][] now = contents();
        if (!Arrays.deepEquals(now, seen)) {
            seen = now;
            action.run();
        }
    }

    private byte[][] contents() {
        return files.stream().map(FileWatch::contentOf).toArray(byte[][]::new);
    }

    /** What is in a file; nothing when it cannot be read, as in the moment of its replacement. */
    private static byte[] contentOf(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
