package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import dev.semel.torture.app.TortureApp;
import dev.semel.torture.crash.CrashPoint;
import dev.semel.torture.history.FaultEvent.Kind;
import dev.semel.torture.net.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One application and the processes that it runs in, one after the other: whenever one ends, the next is started. */
final class Application implements AutoCloseable {

    /** A process that has been down is not to be drowned by all who waited for it: being slow would look broken. */
    private static final int MOST_CALLERS = 24;

    private final String name;
    private final List<String> arguments;
    private final Path errors;
    private final FaultLog faults;
    private final Duration betweenStops;
    private final Semaphore callers = new Semaphore(MOST_CALLERS);
    private final Map<CrashPoint, Duration> stopsAtPoints = new ConcurrentHashMap<>();
    private @Nullable Child child;
    private int fault;
    private long nextStopNanos = System.nanoTime();
    private long stoppedUntilNanos = System.nanoTime();
    private volatile int port;
    private volatile boolean collapsed;
    private volatile boolean closed;

    /**
     * An application that is not started yet.
     *
     * @param betweenStops two stops that are closer to each other would be one that is too long
     */
    Application(String name, List<String> arguments, Path directory, FaultLog faults, Duration betweenStops) {
        this.name = name;
        this.arguments = arguments;
        this.errors = directory.resolve(name + ".err");
        this.faults = faults;
        this.betweenStops = betweenStops;
    }

    String name() {
        return name;
    }

    /** Where it listens, while it does. */
    OptionalInt port() {
        return port == 0 ? OptionalInt.empty() : OptionalInt.of(port);
    }

    /** Limits who may call it at once. */
    Semaphore callers() {
        return callers;
    }

    /** Whether a process of it has ever ended without being made to. */
    boolean hasCollapsed() {
        return collapsed;
    }

    synchronized void start() {
        if (closed) {
            return;
        }
        Child started = Child.start(TortureApp.class, errors, this::read, arguments);
        child = started;
        Threads.start(name + "-keeper", () -> restartAfter(started));
    }

    private void restartAfter(Child started) {
        try {
            started.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        port = 0;
        synchronized (this) {
            if (fault == 0 && !closed) {
                collapsed = true;
                fault = faults.began(Kind.KILL, name, null, "ended by itself");
            }
        }
        start();
    }

    private void read(String line) {
        List<String> words = Wire.words(line);
        if (words.get(0).equals("ready")) {
            synchronized (this) {
                if (fault != 0) {
                    faults.ended(fault);
                    fault = 0;
                }
            }
            port = Integer.parseInt(words.get(1));
        } else if (words.get(0).equals("failed")) {
            Identity identity = Identity.of(words.get(2), words.get(3));
            faults.ended(faults.began(Kind.FAILED_CALL, name, identity, words.get(1)));
        } else if (words.get(0).equals("at")) {
            CrashPoint point = CrashPoint.ofLabel(words.get(1));
            Identity identity = Identity.of(words.get(2), words.get(3));
            if (words.get(4).equals("halt")) {
                halted(point, identity);
            } else {
                Threads.start(name + "-stop", () -> stopAt(point, identity));
            }
        }
    }

    private synchronized void halted(CrashPoint point, Identity identity) {
        port = 0;
        fault = faults.began(Kind.KILL, name, identity, "halted " + point.label());
    }

    private void stopAt(CrashPoint point, Identity identity) {
        Duration length = stopsAtPoints.remove(point);
        if (length != null) {
            stop(length, identity, "stopped " + point.label());
        }
        Child current = child;
        if (current != null) {
            current.send("go");
        }
    }

    /** Kills the process. */
    void kill() throws InterruptedException {
        Child current;
        synchronized (this) {
            current = child;
            // A process that is killed while it is stopped does not continue late, which is the purpose of the stop.
            if (current == null || port == 0 || System.nanoTime() - stoppedUntilNanos < 0) {
                return;
            }
            fault = faults.began(Kind.KILL, name, null, "killed");
        }
        current.kill();
    }

    /** Stops the process for a while, unless it was stopped just now. */
    void stop(Duration length) {
        stop(length, null, "stopped");
    }

    private void stop(Duration length, @Nullable Identity identity, String detail) {
        Child current;
        synchronized (this) {
            current = child;
            long now = System.nanoTime();
            if (current == null || port == 0 || now - nextStopNanos < 0) {
                return;
            }
            stoppedUntilNanos = now + length.toNanos();
            nextStopNanos = stoppedUntilNanos + betweenStops.toNanos();
        }
        int number = faults.began(Kind.STOP, name, identity, detail + " for " + length);
        current.stop();
        try {
            Threads.pause(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            current.goOn();
            faults.ended(number);
        }
    }

    void haltAt(CrashPoint point) {
        send("halt", point.label());
    }

    void stopAt(CrashPoint point, Duration length) {
        stopsAtPoints.put(point, length);
        send("stop", point.label());
    }

    /** Lets the next call of this verb fail. */
    void fail(Verb verb, FaultyStore.Fault how) {
        send("fail", verb.name(), how.name());
    }

    /** Takes back what is armed and has not gone off. */
    void disarm() {
        send("disarm");
    }

    private void send(String... words) {
        Child current = child;
        if (current != null) {
            current.send(Wire.line(new ArrayList<>(List.of(words))));
        }
    }

    @Override
    public void close() {
        closed = true;
        port = 0;
        Child current = child;
        if (current != null) {
            current.close();
        }
    }
}
