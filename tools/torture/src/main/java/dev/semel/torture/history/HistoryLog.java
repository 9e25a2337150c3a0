package dev.semel.torture.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One party's log on disk; every event is a line that is written before the call returns. */
public final class HistoryLog implements AutoCloseable {

    private final FileChannel file;

    /** Opens a log, and goes on at its end if it exists. */
    public HistoryLog(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends an event; it survives the end of this process. */
    public synchronized void write(HistoryEvent event) {
        ByteBuffer line = ByteBuffer.wrap((event.line() + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (line.hasRemaining()) {
                file.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends an event; it survives the end of the machine. */
    public void writeDurably(HistoryEvent event) {
        write(event);
        try {
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
