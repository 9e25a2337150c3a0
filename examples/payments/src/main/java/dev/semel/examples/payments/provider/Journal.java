package dev.semel.examples.payments.provider;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that is only ever appended to, where every line is on disk before {@link #append} returns.
 *
 * <p>A crash in the middle of an append leaves a last line without its end. That line was never confirmed, so it is removed
 * when the file is opened again.
 */
final class Journal implements AutoCloseable {

    private final FileChannel channel;
    private final List<String> recovered;

    private Journal(FileChannel channel, List<String> recovered) {
        this.channel = channel;
        this.recovered = recovered;
    }

    /** @throws IOException when the file cannot be read and written, or another process has it open */
    static Journal open(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (lock(channel) == null) {
                throw new IOException(file + " is in use by another provider");
            }
            byte[] bytes = readAll(channel);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            channel.truncate(end);
            channel.position(end);
            channel.force(true);
            return new Journal(
                    channel,
                    new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Reads through this channel: on POSIX, closing another channel of the same file would release the lock. */
    private static byte[] readAll(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = channel.read(bytes);
        }
        return bytes.array();
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** The lines that the file had when it was opened. */
    List<String> recovered() {
        return recovered;
    }

    /** Adds one line; when this fails, the file is as it was before. */
    void append(String line) throws IOException {
        long start = channel.position();
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + '\n');
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            channel.truncate(start);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
