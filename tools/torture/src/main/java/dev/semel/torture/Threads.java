package dev.semel.torture;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads that do not keep the program alive, and pauses that an interruption ends. */
final class Threads {

    private Threads() {}

    static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Lets time pass: breaking things is about timing, and nothing else can be waited for. */
    static void pause(Duration duration) throws InterruptedException {
        new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
