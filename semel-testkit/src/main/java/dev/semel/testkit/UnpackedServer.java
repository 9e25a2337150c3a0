package dev.semel.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A directory that a server's archive is unpacked into once, for all processes of a user.
 *
 * <p>A process that starts a program while another still writes it fails with "Text file busy", so that one process at a time
 * unpacks.
 */
public final class UnpackedServer {

    private final Path directory;

    private UnpackedServer(Path directory) {
        this.directory = directory;
    }

    /**
     * The directory of a server.
     *
     * @param name of the server and its version: what differs must not be unpacked into one directory
     */
    public static UnpackedServer named(String name) {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9]", "_");
        return new UnpackedServer(Path.of(System.getProperty("java.io.tmpdir"), "semel-" + name + "-" + user));
    }

    /** What unpacks it, or sees that this was done. */
    @FunctionalInterface
    public interface Unpacking<T, E extends Exception> {
        T into(Path directory) throws E;
    }

    /** Runs this while no other process does. */
    public <T, E extends Exception> T unpack(Unpacking<T, E> unpacking) throws E, IOException {
        Path lockFile = directory.resolveSibling(directory.getFileName() + ".lock");
        // The lock of a file is between processes: within one, two threads that ask for it get an exception.
        synchronized (UnpackedServer.class) {
            try (FileChannel channel =
                    FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                FileLock lock = channel.lock();
                try {
                    return unpacking.into(Files.createDirectories(directory));
                } finally {
                    lock.release();
                }
            }
        }
    }
}
