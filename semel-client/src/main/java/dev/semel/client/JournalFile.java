package dev.semel.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that are appended, or replaced as a whole.
 *
 * <ol>
 *   <li>Each line ends with a checksum. A crash during an append leaves a damaged last line, whose append was not confirmed:
 *       opening the file removes it. Damage anywhere else is an error, which a person has to examine.
 *   <li>Threads share syncs: a sync covers all lines that were appended before it.
 *   <li>After a failed write or sync the content on disk is undefined: every call fails until the file is opened again.
 *   <li>A lock on a separate file excludes other processes. It is not on the file itself, since that is replaced.
 * </ol>
 *
 * <p>It uses a {@link RandomAccessFile}, since an interrupt closes a channel.
 */
final class JournalFile implements AutoCloseable {

    private static final String HEAD = "semel-intents\t1";

    private final Path path;
    private final RandomAccessFile lock;
    private final Object syncing = new Object();
    private final List<String> recovered;
    private RandomAccessFile file;
    private @Nullable IOException broken;
    private long appended;
    private long synced;

    private JournalFile(Path path, RandomAccessFile lock, RandomAccessFile file, List<String> recovered) {
        this.path = path;
        this.lock = lock;
        this.file = file;
        this.recovered = recovered;
    }

    /** @throws IOException when it cannot be read and written, is in use, is damaged, or is no journal */
    static JournalFile open(Path file) throws IOException {
        Path path = file.toAbsolutePath();
        RandomAccessFile lock = new RandomAccessFile(path + ".lock", "rw");
        try {
            lock(lock, path);
            Files.deleteIfExists(replacement(path));
            RandomAccessFile content = new RandomAccessFile(path.toFile(), "rw");
            try {
                return new JournalFile(path, lock, content, recover(path, content));
            } catch (IOException | RuntimeException e) {
                content.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static void lock(RandomAccessFile lock, Path path) throws IOException {
        boolean locked;
        try {
            locked = lock.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new IOException(path + " is in use by this process or another: give each process its own journal");
        }
    }

    private static Path replacement(Path path) {
        return Path.of(path + ".new");
    }

    private static List<String> recover(Path path, RandomAccessFile file) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(file.length())];
        file.readFully(bytes);
        byte[] head = encoded(HEAD);
        if (bytes.length < head.length && Arrays.equals(bytes, Arrays.copyOf(head, bytes.length))) {
            file.setLength(0);
            file.write(head);
            file.getFD().sync();
            syncDirectory(path);
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int end = endOfLine(bytes, start); end > 0; end = endOfLine(bytes, start)) {
            String line = decoded(bytes, start, end);
            if (lines.isEmpty() && !HEAD.equals(line)) {
                throw new IOException(path + " is no journal of intents that this release can read");
            }
            if (line == null && endOfLine(bytes, end) > 0) {
                throw new IOException("line " + (lines.size() + 1) + " of " + path
                        + " is damaged, and it is not the last one, so keys of"
                        + " unfinished intents may be lost: examine the file before you remove the line");
            }
            if (line == null) {
                break;
            }
            lines.add(line);
            start = end;
        }
        if (lines.isEmpty()) {
            throw new IOException(path + " is no journal of intents");
        }
        file.setLength(start);
        file.seek(start);
        file.getFD().sync();
        return List.copyOf(lines.subList(1, lines.size()));
    }

    /** Returns the position after the line that starts there; 0 if the line is incomplete. */
    private static int endOfLine(byte[] bytes, int start) {
        for (int i = start; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    private static byte[] encoded(String line) throws IOException {
        // An encoder that reports unmappable characters: two names must not become one.
        ByteBuffer text = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(line));
        byte[] end = ("\t" + checksum(text) + "\n").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(text.remaining() + end.length)
                .put(text)
                .put(end)
                .array();
    }

    private static @Nullable String decoded(byte[] bytes, int start, int end) {
        int tab = end - 10;
        if (tab < start || bytes[tab] != '\t') {
            return null;
        }
        String checksum = new String(bytes, tab + 1, 8, StandardCharsets.US_ASCII);
        return checksum.equals(checksum(ByteBuffer.wrap(bytes, start, tab - start)))
                ? new String(bytes, start, tab - start, StandardCharsets.UTF_8)
                : null;
    }

    private static String checksum(ByteBuffer text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.duplicate());
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    /** Returns the lines that the file had when it was opened. */
    List<String> recovered() {
        return recovered;
    }

    /** Appends a line, which is durable after {@link #sync} with the number that this returns. */
    synchronized long append(String line) throws IOException {
        requireIntact();
        byte[] bytes = encoded(line);
        try {
            file.write(bytes);
        } catch (IOException e) {
            broken = e;
            throw e;
        }
        return ++appended;
    }

    void sync(long number) throws IOException {
        synchronized (syncing) {
            long upTo;
            RandomAccessFile current;
            synchronized (this) {
                requireIntact();
                upTo = appended;
                current = file;
            }
            if (synced >= number) {
                return;
            }
            try {
                current.getFD().sync();
            } catch (IOException e) {
                synchronized (this) {
                    broken = e;
                }
                throw e;
            }
            synced = upTo;
        }
    }

    /** Replaces all lines by these, atomically. */
    void replace(List<String> lines) throws IOException {
        synchronized (syncing) {
            synchronized (this) {
                requireIntact();
                RandomAccessFile next = new RandomAccessFile(replacement(path).toFile(), "rw");
                try {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    bytes.writeBytes(encoded(HEAD));
                    for (String line : lines) {
                        bytes.writeBytes(encoded(line));
                    }
                    next.setLength(0);
                    next.write(bytes.toByteArray());
                    next.getFD().sync();
                    Files.move(
                            replacement(path),
                            path,
                            StandardCopyOption.ATOMIC_MOVE,
                            StandardCopyOption.REPLACE_EXISTING);
                } catch (IOException e) {
                    next.close();
                    throw e;
                }
                RandomAccessFile previous = file;
                file = next;
                synced = appended;
                try {
                    previous.close();
                    syncDirectory(path);
                } catch (IOException e) {
                    // A crash might restore the previous file, without the lines that are appended to this one.
                    broken = e;
                    throw e;
                }
            }
        }
    }

    private static void syncDirectory(Path path) throws IOException {
        Path directory = path.getParent();
        if (directory == null || path.getFileSystem().getSeparator().equals("\\")) {
            // Windows cannot sync a directory.
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void requireIntact() throws IOException {
        if (broken != null) {
            throw new IOException(path + " is closed, or a write to it failed: open it again", broken);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (syncing) {
            synchronized (this) {
                if (broken == null) {
                    broken = new IOException("closed");
                }
                try {
                    file.close();
                } finally {
                    lock.close();
                }
            }
        }
    }
}
