package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.engine.Store;
import dev.semel.torture.app.Keeping;
import dev.semel.torture.app.PaymentService;
import dev.semel.torture.app.Timing;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.bugs.PlantedBugs;
import dev.semel.torture.history.AuditEvent.Read;
import dev.semel.torture.history.CheckResult;
import dev.semel.torture.history.Checker;
import dev.semel.torture.history.Expectations;
import dev.semel.torture.history.FaultEvent.Began;
import dev.semel.torture.history.FaultEvent.Kind;
import dev.semel.torture.history.History;
import dev.semel.torture.history.HistoryLog;
import dev.semel.torture.net.AnyStore;
import dev.semel.torture.provider.TortureProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run, from its first process to its verdict.
 *
 * <ol>
 *   <li>The provider and the applications start; one application's clock is an hour fast, another's an hour slow.
 *   <li>Clients use one key after the other, and things are broken, for as long as the run takes.
 *   <li>Everything is made whole and no new keys are used. A lease and two sweeps later the records are read.
 *   <li>The clients that still wait are waited for. Then every key is asked for once more.
 *   <li>When no outcome is unknown any more, audit and records are read, and the checker reads the logs.
 * </ol>
 */
final class Conductor {

    private static final Duration STARTING = Duration.ofSeconds(60);

    /** How long a pool or a search for evidence may take to notice that a fault is over. */
    static final Duration GRACE = Duration.ofSeconds(4);

    /** Unknown outcomes take a settle window, and some keys have several in a row. */
    private static final int SETTLE_WINDOWS = 6;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final Setup setup;
    private final Backend backend;
    private final Path directory;
    private final @Nullable Bug bug;
    private final Consumer<String> progress;
    private final Timing timing = Timing.USUAL;
    private final List<AutoCloseable> started = new ArrayList<>();

    /**
     * A run that has not begun.
     *
     * @param directory where its logs are written; empty
     * @param progress gets a line for each phase
     */
    Conductor(Setup setup, Backend backend, Path directory, @Nullable Bug bug, Consumer<String> progress) {
        this.setup = setup;
        this.backend = backend;
        this.directory = directory;
        this.bug = bug;
        this.progress = progress;
    }

    /** Runs, and checks. */
    CheckResult run() throws IOException, SQLException, InterruptedException {
        closing(backend::goOn);
        Thread killer = new Thread(this::close, "killer");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            torture();
        } finally {
            close();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        return new Checker(expectations(timing, GRACE, setup.emphasis())).check(History.read(directory));
    }

    /** What the checker has to know about a run with this timing. */
    static Expectations expectations(Timing timing, Duration grace, Emphasis emphasis) {
        return new Expectations(
                timing.settleWindow(),
                timing.sweepEvery().multipliedBy(2),
                grace,
                identity ->
                        PaymentService.operation(timing, Plan.keeping(identity)).retention(),
                identity -> Plan.keeping(identity) == Keeping.LATE,
                emphasis.shortKeeping() == Keeping.LATE ? Expectations.Floors.LATE : Expectations.Floors.USUAL);
    }

    private <T extends AutoCloseable> T closing(T resource) {
        synchronized (started) {
            started.add(0, resource);
        }
        return resource;
    }

    private void torture() throws IOException, SQLException, InterruptedException {
        List<Schedule.Planned> schedule = Schedule.of(setup, timing);
        Files.write(
                directory.resolve("schedule.txt"),
                schedule.stream()
                        .map(planned -> planned.at() + " " + planned.fault())
                        .toList());
        HistoryLog clientLog = closing(new HistoryLog(directory.resolve(History.CLIENTS)));
        HistoryLog auditLog = closing(new HistoryLog(directory.resolve(History.AUDIT)));
        FaultLog faults = closing(new FaultLog(directory.resolve(History.FAULTS)));
        closing(Pulse.start(directory.resolve("pulse"), faults, timing.lease().dividedBy(4)));
        // The first process that opens the store creates its tables.
        Store store = closing(PlantedBugs.plant(
                bug, AnyStore.open(uri(backend.directUri())), InstantSource.system(), identity -> {}));
        Collector collector = new Collector(store, auditLog::write);
        List<Application> applications = startApplications(startProvider(), faults);

        Traffic traffic = closing(new Traffic(plan(), applications, clientLog, setup.seed()));
        Breaker breaker = new Breaker(backend, applications, faults);
        closing(tell(traffic, faults));
        traffic.begin();
        breaker.run(schedule);
        traffic.end();
        progress.accept("Nothing is broken any more; waiting until every outcome is known");
        awaitQuiet(traffic, applications, collector);
        Set<Identity> used = traffic.used().keySet();
        // In this order: a record that expires in between has no audit entry for it yet, which the checker allows.
        collector.audit(used);
        collector.read(Read.END, used);
        backend.front()
                .ifPresent(front ->
                        progress.accept("Since the last poison Redis has found something " + front.found() + " times"));
        backend.sharing().ifPresent(sharing -> progress.accept("Writes shared commits: " + sharing));
    }

    /** How wrong the clock of an application is: one is an hour fast, one an hour slow, one right. */
    static Duration skewOf(int app) {
        return Duration.ofHours(app % 3 == 2 ? 0 : 1 - 2L * (app % 3));
    }

    private Plan plan() {
        String run = "run-" + Long.toHexString(InstantSource.system().millis());
        return new Plan(setup.seed(), setup.emphasis(), run, timing.briefRetention());
    }

    private int startProvider() throws InterruptedException {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        closing(Child.start(
                TortureProvider.class,
                directory.resolve("provider.err"),
                line -> port.complete(Integer.parseInt(line.substring("ready ".length()))),
                List.of(
                        directory.resolve(History.LEDGER).toString(),
                        String.valueOf(timing.lateCharge().toMillis()))));
        return port.orTimeout(STARTING.toSeconds(), TimeUnit.SECONDS).join();
    }

    private List<Application> startApplications(int provider, FaultLog faults) throws InterruptedException {
        List<Application> applications = new ArrayList<>();
        // A process that has just started is slow, the first time too.
        int starting = faults.began(Kind.KILL, Began.ALL, null, "started");
        for (int app = 0; app < setup.apps(); app++) {
            Duration skew = skewOf(app);
            List<String> arguments = new ArrayList<>(List.of(
                    uri(backend.uriFor(app)),
                    String.valueOf(provider),
                    skew.toString(),
                    setup.emphasis().expiry().name()));
            if (bug != null) {
                arguments.add(bug.label());
            }
            Application application =
                    closing(new Application("app-" + (app + 1), arguments, directory, faults, timing.settleWindow()));
            faults.began(Kind.CLOCK, application.name(), null, "wrong by " + skew);
            application.start();
            applications.add(application);
        }
        long start = System.nanoTime();
        while (!allServe(applications)) {
            boolean collapsed = applications.stream().anyMatch(Application::hasCollapsed);
            if (collapsed || System.nanoTime() - start > STARTING.toNanos()) {
                throw new IllegalStateException("the applications did not start; see their logs in " + directory);
            }
            Threads.pause(BETWEEN_LOOKS);
        }
        faults.ended(starting);
        return applications;
    }

    private String uri(String uri) {
        return setup.emphasis().keepsTombstones() ? AnyStore.withTombstones(uri) : uri;
    }

    private static boolean allServe(List<Application> applications) {
        return applications.stream().allMatch(application -> application.port().isPresent());
    }

    private void awaitQuiet(Traffic traffic, List<Application> applications, Collector collector)
            throws InterruptedException {
        long start = System.nanoTime();
        while (!allServe(applications) && System.nanoTime() - start < STARTING.toNanos()) {
            Threads.pause(BETWEEN_LOOKS);
        }
        long end = System.nanoTime()
                + timing.settleWindow().multipliedBy(SETTLE_WINDOWS).toNanos();
        Threads.pause(timing.lease().plus(timing.sweepEvery().multipliedBy(2)));
        collector.read(Read.SETTLING, traffic.used().keySet());
        awaitAnswers(traffic, end);
        traffic.askAllAgain(end);
        awaitAnswers(traffic, end);
        while (collector.open(traffic.used().keySet()) > 0 && System.nanoTime() - end < 0) {
            Threads.pause(BETWEEN_LOOKS);
        }
        traffic.close();
    }

    private static void awaitAnswers(Traffic traffic, long endNanos) throws InterruptedException {
        while (traffic.waiting() > 0 && System.nanoTime() - endNanos < 0) {
            Threads.pause(BETWEEN_LOOKS);
        }
    }

    /** Reports progress every few seconds. */
    private AutoCloseable tell(Traffic traffic, FaultLog faults) {
        AtomicBoolean over = new AtomicBoolean();
        long start = System.nanoTime();
        Threads.start("progress", () -> {
            try {
                Threads.pause(Duration.ofSeconds(5));
                while (!over.get()) {
                    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
                    progress.accept(String.format(
                            "%3d s  %d keys, %d faults, %d requests without a final answer",
                            elapsed.toSeconds(), traffic.keys(), faults.count(), traffic.waiting()));
                    Threads.pause(Duration.ofSeconds(5));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return () -> over.set(true);
    }

    private void close() {
        List<AutoCloseable> all;
        synchronized (started) {
            all = List.copyOf(started);
            started.clear();
        }
        List<Exception> failures = new ArrayList<>();
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            progress.accept("Not everything could be closed: "
                    + failures.stream().map(Exception::getMessage).collect(Collectors.joining("; ")));
        }
    }
}
