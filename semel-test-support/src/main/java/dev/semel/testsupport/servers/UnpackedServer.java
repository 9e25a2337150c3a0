package dev.semel.testsupport.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A directory that a server's archive is unpacked into once, for all processes of a user.
 *
 * <p>One process unpacks at a time: a process that starts a program while another still writes it fails with "Text file busy".
 */
final class UnpackedServer {

    private final Path directory;

    private UnpackedServer(Path directory) {
        this.directory = directory;
    }

    /**
     * The directory of a server.
     *
     * @param name of the server; two versions need two names
     */
    static UnpackedServer named(String name) {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9]", "_");
        return new UnpackedServer(Path.of(System.getProperty("java.io.tmpdir"), "semel-" + name + "-" + user));
    }

    /** Unpacks the archive, unless that was done before. */
    @FunctionalInterface
    interface Unpacking<T, E extends Exception> {
        T into(Path directory) throws E;
    }

    /** Unpacks while no other process does. */
    <T, E extends Exception> T unpack(Unpacking<T, E> unpacking) throws E, IOException {
        Path lockFile = directory.resolveSibling(directory.getFileName() + ".lock");
        // A file lock is between processes: two threads of one process that ask for it get an exception.
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
