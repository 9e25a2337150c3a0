package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A time in which every pause is over at once, and has taken as long as it was to take. */
final class QuickTime implements ClientTime {

    static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private volatile boolean endless;

    /** From here on, pauses have no end. */
    void makePausesEndless() {
        endless = true;
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos.get());
    }

    @Override
    public Pause pause(Duration length, Runnable then) {
        pauses.add(length);
        if (!endless) {
            advance(length);
            CompletableFuture.runAsync(then);
        }
        return () -> {};
    }
}
