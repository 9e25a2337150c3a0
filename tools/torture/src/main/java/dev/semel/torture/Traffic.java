package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.torture.app.Payment;
import dev.semel.torture.history.ClientEvent;
import dev.semel.torture.history.ClientEvent.Answered;
import dev.semel.torture.history.ClientEvent.Asked;
import dev.semel.torture.history.ClientEvent.Try;
import dev.semel.torture.history.ClientEvent.Unanswered;
import dev.semel.torture.history.HistoryLog;
import dev.semel.torture.net.Wire;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The clients: each repeats its request, with the same key, until it has a final answer. */
final class Traffic implements AutoCloseable {

    /** Enough for thousands of keys in a few minutes, and little enough for two cores that also run everything else. */
    private static final Duration BETWEEN_KEYS = Duration.ofMillis(40);

    /** Calls of a store share a commit when many come together: keys come alone, by the dozen, and all between. */
    private static final int MOST_KEYS_AT_ONCE = 32;

    /** A run that is stuck should not drown in requests that wait. */
    private static final int MOST_WAITING = 150;

    /** When all keys are asked for again. */
    private static final int MOST_AT_ONCE = 50;

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int FIRST_PAUSE_MILLIS = 15;
    private static final int LONGEST_PAUSE_MILLIS = 600;

    private final Plan plan;
    private final List<Application> applications;
    private final HistoryLog log;
    private final long seed;
    private final InstantSource clock = InstantSource.system();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Identity, Payment> used = new LinkedHashMap<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger keys = new AtomicInteger();
    private volatile boolean begun = true;
    private volatile boolean closed;

    Traffic(Plan plan, List<Application> applications, HistoryLog log, long seed) {
        this.plan = plan;
        this.applications = applications;
        this.log = log;
        this.seed = seed;
    }

    /** Uses one key after the other until {@link #end()}. */
    void begin() {
        SplittableRandom random = new SplittableRandom(seed);
        Threads.start("traffic", () -> {
            try {
                while (begun) {
                    // Processes that have just started are slow.
                    int together = 1 + random.nextInt(Math.min(MOST_KEYS_AT_ONCE, 1 + keys.get() / 4));
                    for (int i = 0; i < together && waiting.get() < MOST_WAITING; i++) {
                        use(keys.incrementAndGet());
                    }
                    Threads.pause(BETWEEN_KEYS.multipliedBy(together));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void use(int number) {
        for (Plan.Client client : plan.clients(number, clock.instant())) {
            ask(client);
        }
    }

    private void ask(Plan.Client client) {
        Payment payment = client.payment();
        synchronized (used) {
            used.putIfAbsent(payment.identity(), payment);
        }
        int number = clients.incrementAndGet();
        waiting.incrementAndGet();
        threads.execute(() -> {
            try {
                Threads.pause(client.after());
                askUntilAnswered("c" + number, client, new SplittableRandom(seed * 37 + number));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                waiting.decrementAndGet();
            }
        });
    }

    private void askUntilAnswered(String name, Plan.Client client, SplittableRandom random)
            throws InterruptedException {
        Payment payment = client.payment();
        int pause = FIRST_PAUSE_MILLIS;
        for (int number = 1; !closed; ) {
            Application application = applications.get(random.nextInt(applications.size()));
            if (application.port().isPresent() && application.callers().tryAcquire()) {
                Try which = new Try(name, number, payment.identity(), payment.meaning(), application.name());
                if (isFinal(ask(which, application, payment)) || client.once()) {
                    return;
                }
                number++;
            }
            Threads.pause(Duration.ofMillis(random.nextInt(pause / 2, pause + 1)));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private static boolean isFinal(ClientEvent event) {
        return event instanceof Answered answer && answer.isFinal();
    }

    private ClientEvent ask(Try which, Application application, Payment payment) {
        log.write(new Asked(clock.instant(), which));
        ClientEvent event;
        try {
            int port = application.port().orElseThrow(() -> new IOException("the process has just ended"));
            List<String> question = new ArrayList<>(List.of("pay"));
            question.addAll(payment.words());
            List<String> answer = Wire.ask(port, PATIENCE, question);
            event = new Answered(clock.instant(), which, Integer.parseInt(answer.get(0)), answer.get(1));
        } catch (IOException e) {
            event = new Unanswered(clock.instant(), which, String.valueOf(e.getMessage()));
        } finally {
            application.callers().release();
        }
        log.write(event);
        return event;
    }

    /** Uses no more new keys; the clients that wait go on. */
    void end() {
        begun = false;
    }

    /** Asks once more for every key, a few at a time, for as long as others get answers before this time. */
    void askAllAgain(long endNanos) throws InterruptedException {
        for (Payment payment : used().values()) {
            while (waiting.get() > MOST_AT_ONCE) {
                if (System.nanoTime() - endNanos >= 0) {
                    return;
                }
                Threads.pause(Duration.ofMillis(FIRST_PAUSE_MILLIS));
            }
            ask(new Plan.Client(Duration.ZERO, payment, false));
        }
    }

    Map<Identity, Payment> used() {
        synchronized (used) {
            return new LinkedHashMap<>(used);
        }
    }

    int keys() {
        return keys.get();
    }

    /** How many clients have no final answer yet. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public void close() {
        begun = false;
        closed = true;
        threads.shutdownNow();
    }
}
