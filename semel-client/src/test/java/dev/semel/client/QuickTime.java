package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A manual time whose pauses end at once and advance it by their length. */
final class QuickTime implements ClientTime {

    static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private volatile boolean endless;

    /** Makes later pauses endless. */
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
