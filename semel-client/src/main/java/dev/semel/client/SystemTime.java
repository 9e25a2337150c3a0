package dev.semel.client;

import java.time.Duration;
import java.time.Instant;

/** The machine's clocks, and pauses that block no thread of a caller. */
final class SystemTime implements ClientTime {

    private final ClientTimer timer;

    SystemTime(ClientTimer timer) {
        this.timer = timer;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Pause pause(Duration length, Runnable then) {
        return timer.after(length, then);
    }
}
