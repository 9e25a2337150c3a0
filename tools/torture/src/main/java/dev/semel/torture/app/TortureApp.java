package dev.semel.torture.app;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.Event;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.Reconciler;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.ForwardingStore;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.bugs.Eraser;
import dev.semel.torture.bugs.PlantedBugs;
import dev.semel.torture.crash.CrashPoint;
import dev.semel.torture.crash.CrashPoints;
import dev.semel.torture.crash.CrashingStore;
import dev.semel.torture.net.AnyStore;
import dev.semel.torture.net.Wire;
import dev.semel.torture.net.WireServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The application as a process: {@code TortureApp STORE PROVIDER_PORT CLOCK_SKEW EXPIRY [BUG]}.
 *
 * <p>Prints {@code ready PORT} when it serves, {@code at POINT SCOPE KEY halt|stop} when a crash point goes off, and
 * {@code failed VERB SCOPE KEY} when a call of the store failed as ordered. Reads
 * {@code halt POINT}, {@code stop POINT}, {@code fail VERB HOW}, {@code disarm}, and {@code go} for the thread that waits at a
 * point to be stopped. Ends when its standard input does.
 */
public final class TortureApp {

    /** As after kill -9. */
    private static final int KILLED = 137;

    private static final Duration BETWEEN_CONNECTS = Duration.ofMillis(200);

    private final CrashPoints points = new CrashPoints();
    private final Expiry expiry;
    private final FaultyStore faulty;
    private volatile CountDownLatch held = new CountDownLatch(1);

    private TortureApp(Store store, Expiry expiry) {
        this.expiry = expiry;
        faulty = new FaultyStore(new ForwardingStore(store));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String store = arguments[0];
        InstantSource clock = skewed(Duration.parse(arguments[2]));
        Bug bug = arguments.length > 4 ? Bug.ofLabel(arguments[4]).orElseThrow() : null;
        Provider provider = new RemoteProvider(Integer.parseInt(arguments[1]), Timing.USUAL.providerPatience());
        new TortureApp(open(store), Expiry.valueOf(arguments[3])).run(provider, clock, Eraser.of(store), bug);
    }

    /** The application's own clock, wrong by this much. SemelEngine is never asked to look at it; that is what is tested. */
    private static InstantSource skewed(Duration skew) {
        return () -> InstantSource.system().instant().plus(skew);
    }

    /** A store that is down when the process starts comes back. */
    private static Store open(String uri) throws InterruptedException {
        while (true) {
            try {
                return AnyStore.open(uri);
            } catch (StoreException e) {
                new CountDownLatch(1).await(BETWEEN_CONNECTS.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void run(Provider provider, InstantSource clock, Eraser eraser, @Nullable Bug bug) throws IOException {
        Store store = PlantedBugs.plant(bug, new CrashingStore(new ForwardingStore(faulty), points), clock, eraser);
        Timing timing = Timing.USUAL;
        try (SemelEngine semel = SemelEngine.on(store)
                        .listener(event -> log(clock.instant(), event))
                        .pruneEvery(timing.sweepEvery(), expiry)
                        .build();
                Reconciler reconciler = Reconciling.on(semel, provider, timing, bug);
                WireServer server = serve(new PaymentService(semel, provider, points, timing, bug))) {
            if (bug != Bug.NO_SWEEPER) {
                reconciler.start();
            }
            say("ready", String.valueOf(server.port()));
            obey();
        }
    }

    private static WireServer serve(PaymentService service) throws IOException {
        return new WireServer(question -> service.pay(Payment.of(question.subList(1, question.size())))
                .thenApply(answer -> Optional.of(List.of(String.valueOf(answer.status()), answer.body()))));
    }

    private void obey() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<String> words = Wire.words(line);
            switch (words.get(0)) {
                case "halt" -> points.arm(CrashPoint.ofLabel(words.get(1)), TortureApp::halt);
                case "stop" -> points.arm(CrashPoint.ofLabel(words.get(1)), this::hold);
                case "fail" ->
                    faulty.failNext(FaultyStore.Verb.valueOf(words.get(1)), FaultyStore.Fault.valueOf(words.get(2)));
                case "disarm" -> points.disarm();
                default -> held.countDown();
            }
        }
    }

    private static void halt(CrashPoint point, Identity identity) {
        say("at", point.label(), identity.scope().value(), identity.key().value(), "halt");
        Runtime.getRuntime().halt(KILLED);
    }

    /** Waits to be stopped, and to go on afterwards. */
    private void hold(CrashPoint point, Identity identity) {
        CountDownLatch latch = new CountDownLatch(1);
        held = latch;
        say("at", point.label(), identity.scope().value(), identity.key().value(), "stop");
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(String... words) {
        System.out.println(Wire.line(List.of(words)));
    }

    /** Logs every event, and reports to the conductor the failures that it ordered: they may happen much later. */
    private static void log(Instant at, Event event) {
        System.err.println(at + " " + event);
        if (event instanceof Event.StoreFault failed
                && String.valueOf(failed.fault().getMessage()).startsWith("injected")) {
            Identity identity = failed.identity();
            say(
                    "failed",
                    failed.verb() + " " + failed.fault().getMessage(),
                    identity.scope().value(),
                    identity.key().value());
        }
    }
}
