package dev.semel.torture;

import dev.semel.torture.history.FaultEvent.Began;
import dev.semel.torture.history.FaultEvent.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Notices when the machine itself stands still: writes a byte to the disk again and again, and takes down when that takes
 * long. No store can confirm anything meanwhile, and a late answer is excused.
 */
final class Pulse implements AutoCloseable {

    private static final Duration BETWEEN_BEATS = Duration.ofMillis(100);

    private final FileChannel file;
    private final FaultLog faults;
    private final Duration tooLong;
    private final InstantSource clock = InstantSource.system();
    private volatile boolean closed;

    private Pulse(FileChannel file, FaultLog faults, Duration tooLong) {
        this.file = file;
        this.faults = faults;
        this.tooLong = tooLong;
    }

    /**
     * Begins to beat.
     *
     * @param file on the disk that the store is on
     * @param tooLong how long a beat takes that is a fault
     */
    static Pulse start(Path file, FaultLog faults, Duration tooLong) throws IOException {
        Pulse pulse =
                new Pulse(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE), faults, tooLong);
        Threads.start("pulse", pulse::beat);
        return pulse;
    }

    private void beat() {
        try {
            while (!closed) {
                Instant start = clock.instant();
                file.write(ByteBuffer.wrap(new byte[1]), 0);
                file.force(true);
                Threads.pause(BETWEEN_BEATS);
                Duration taken = Duration.between(start, clock.instant()).minus(BETWEEN_BEATS);
                if (taken.compareTo(tooLong) > 0) {
                    faults.happened(Kind.MACHINE, Began.ALL, "the machine stood still for " + taken, start);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!closed) {
                throw new IllegalStateException("could not write to the disk of the run", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        file.close();
    }
}
