package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.torture.history.FaultEvent;
import dev.semel.torture.history.HistoryLog;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Numbers faults and writes down when they begin and end. */
final class FaultLog implements AutoCloseable {

    private final HistoryLog log;
    private final InstantSource clock = InstantSource.system();
    private final AtomicInteger faults = new AtomicInteger();

    FaultLog(Path path) {
        log = new HistoryLog(path);
    }

    int count() {
        return faults.get();
    }

    /** Writes down that a fault begins; returns its number. */
    int began(FaultEvent.Kind kind, String target, @Nullable Identity identity, String detail) {
        int number = faults.incrementAndGet();
        log.write(new FaultEvent.Began(clock.instant(), number, kind, target, identity, detail));
        return number;
    }

    /** Logs a fault that was not planned, and that is over. */
    void happened(FaultEvent.Kind kind, String target, String detail, Instant since) {
        int number = faults.incrementAndGet();
        log.write(new FaultEvent.Began(since, number, kind, target, null, detail));
        ended(number);
    }

    void ended(int number) {
        log.write(new FaultEvent.Ended(clock.instant(), number));
    }

    @Override
    public void close() {
        log.close();
    }
}
