package dev.semel.server.gateway;

import dev.semel.server.gateway.config.AccessLogConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lines about requests, in JSON, one to a request.
 *
 * <p>A thread of its own writes them, so that a slow disk delays no request. Lines that it cannot keep up with are dropped, and
 * counted in a line of their own. A file that was moved away, as programs that rotate logs do, is made anew.
 */
final class AccessLog implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    /** What a busy gateway writes within about a second. */
    private static final int WAITING_LINES = 20_000;

    private static final int BATCH = 1000;

    /** How often it is looked whether the file is still there. */
    private static final long LOOK_MILLIS = 500;

    /** Longer than the last lines take, unless the disk hangs. */
    private static final long CLOSE_MILLIS = 5000;

    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(WAITING_LINES);
    private final AtomicLong dropped = new AtomicLong();
    private final GatewayTime time = new GatewayTime();
    private final @Nullable Path file;
    private final @Nullable Thread writer;
    private OutputStream out;
    private @Nullable Object fileKey;
    private volatile boolean closing;

    private AccessLog(boolean on, @Nullable Path file) {
        this.file = file;
        this.out = System.out;
        if (file != null) {
            openFile(file);
        }
        this.writer = on ? new Thread(this::run, "semel-gateway-access-log") : null;
        if (writer != null) {
            writer.setDaemon(true);
            writer.start();
        }
    }

    /** @throws UncheckedIOException when the file cannot be written to */
    static AccessLog open(AccessLogConfig config) {
        if (config instanceof AccessLogConfig.ToFile named) {
            return new AccessLog(true, named.file());
        }
        return new AccessLog(config instanceof AccessLogConfig.StandardOutput, null);
    }

    boolean isOn() {
        return writer != null;
    }

    GatewayTime time() {
        return time;
    }

    /** Has a line written. Returns at once. */
    void write(String line) {
        if (!lines.offer(line)) {
            dropped.incrementAndGet();
        }
    }

    private void openFile(Path named) {
        try {
            out = Files.newOutputStream(named, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            fileKey = keyOf(named);
        } catch (IOException e) {
            throw new UncheckedIOException("the access log " + named + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static @Nullable Object keyOf(Path named) throws IOException {
        return Files.readAttributes(named, BasicFileAttributes.class).fileKey();
    }

    private void run() {
        List<String> batch = new ArrayList<>(BATCH);
        boolean failing = false;
        while (!closing || !lines.isEmpty()) {
            try {
                String first = lines.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                reopenIfMoved();
                if (first != null) {
                    batch.add(first);
                    lines.drainTo(batch, BATCH - 1);
                    writeOut(batch);
                }
                failing = false;
            } catch (InterruptedException e) {
                closing = true;
            } catch (IOException | UncheckedIOException e) {
                dropped.addAndGet(batch.size());
                if (!failing) {
                    LOG.log(System.Logger.Level.ERROR, "the access log cannot be written; lines are dropped", e);
                }
                failing = true;
            }
            batch.clear();
        }
    }

    private void reopenIfMoved() throws IOException {
        Path named = file;
        if (named == null) {
            return;
        }
        if (!Files.exists(named) || !Objects.equals(keyOf(named), fileKey)) {
            out.close();
            openFile(named);
        }
    }

    private void writeOut(List<String> batch) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : batch) {
            text.append(line).append('\n');
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            text.append("{\"dropped_lines\":").append(lost).append("}\n");
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Writes what was given to it, and ends. */
    @Override
    public void close() {
        closing = true;
        if (writer == null) {
            return;
        }
        try {
            writer.join(CLOSE_MILLIS);
            if (file != null) {
                out.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the access log could not be closed", e);
        }
    }
}
