package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.ManualTime;
import dev.semel.torture.app.Answer;
import dev.semel.torture.app.Payment;
import dev.semel.torture.app.Timing;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.bugs.PlantedBugs;
import dev.semel.torture.history.AuditEvent;
import dev.semel.torture.history.AuditEvent.Read;
import dev.semel.torture.history.CheckResult;
import dev.semel.torture.history.Checker;
import dev.semel.torture.history.ClientEvent;
import dev.semel.torture.history.ClientEvent.Try;
import dev.semel.torture.history.FaultEvent;
import dev.semel.torture.history.FaultEvent.Began;
import dev.semel.torture.history.FaultEvent.Kind;
import dev.semel.torture.history.History;
import dev.semel.torture.history.LedgerEvent;
import dev.semel.torture.provider.Books;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A run on one thread and manual time: the same application, provider, plan and schedule as the real one, on a store in
 * memory. Minutes take a second.
 */
final class Simulation {

    private static final Duration BETWEEN_KEYS = Duration.ofMillis(60);
    private static final int MOST_KEYS_AT_ONCE = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration RESTART = Duration.ofMillis(700);
    private static final Timing TIMING = Timing.USUAL;

    /** Thousands of injected faults need no log. Kept in a field: a logger that is collected loses its level. */
    private static final Logger LOG = Logger.getLogger("dev.semel");

    private final Setup setup;
    private final @Nullable Bug bug;
    private final ManualTime time = new ManualTime();
    private final SplittableRandom random;
    private final ErasableStore store;
    private final List<ClientEvent> clients = new ArrayList<>();
    private final List<LedgerEvent> ledger = new ArrayList<>();
    private final List<AuditEvent> audit = new ArrayList<>();
    private final List<FaultEvent> faults = new ArrayList<>();
    private final Books books = new Books(ledger::add, time, time::after, TIMING.lateCharge());
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final long[] stoppedUntil;
    private final Map<Identity, Payment> used = new LinkedHashMap<>();
    private final Plan plan;
    private int faultNumber;
    private int clientNumber;
    private int keys;
    private boolean down;
    private boolean over;

    private Simulation(long seed, Duration length, Emphasis emphasis, @Nullable Bug bug) {
        this.setup = new Setup(seed, length, 3, Setup.Server.SQLITE, emphasis);
        this.store = new ErasableStore(
                new MemoryStore(time, emphasis.keepsTombstones() ? Duration.ofDays(1) : Duration.ZERO));
        this.bug = bug;
        this.random = new SplittableRandom(seed);
        this.plan = new Plan(seed, emphasis, "sim", TIMING.briefRetention());
        this.stoppedUntil = new long[setup.apps()];
    }

    /** Runs and checks. */
    static CheckResult run(long seed, Duration length, @Nullable Bug bug) {
        return new Simulation(seed, length, Emphasis.on(bug), bug).run();
    }

    /** Runs and checks without a bug. */
    static CheckResult run(long seed, Duration length, Emphasis emphasis) {
        return new Simulation(seed, length, emphasis, null).run();
    }

    private CheckResult run() {
        LOG.setLevel(Level.OFF);
        for (int app = 0; app < setup.apps(); app++) {
            hosts.add(host(app));
        }
        for (Schedule.Planned planned : Schedule.of(setup, TIMING)) {
            time.after(planned.at(), () -> apply(planned.fault()));
        }
        useKeys();
        time.advance(setup.length());
        over = true;
        hosts.forEach(host -> host.faulty().up());
        time.advance(TIMING.longestStop().plus(RESTART));

        Store seen = PlantedBugs.plant(bug, store, time, store);
        Collector collector = new Collector(seen, event -> audit.add((AuditEvent) event));
        time.advance(TIMING.lease().plus(TIMING.sweepEvery().multipliedBy(2)));
        collector.read(Read.SETTLING, used.keySet());
        time.advance(TIMING.settleWindow().multipliedBy(3));
        List.copyOf(used.values())
                .forEach(payment -> ask(newClient(), 1, new Plan.Client(Duration.ZERO, payment, false)));
        time.advance(TIMING.settleWindow().multipliedBy(3));
        collector.read(Read.END, used.keySet());
        collector.audit(used.keySet());
        return new Checker(Conductor.expectations(TIMING, Conductor.GRACE, setup.emphasis()))
                .check(new History(clients, ledger, audit, faults));
    }

    private SimulatedHost host(int app) {
        SimulatedHost host = new SimulatedHost(
                time,
                store,
                books,
                Conductor.skewOf(app),
                bug,
                TIMING,
                setup.emphasis().expiry());
        if (down) {
            host.faulty().down();
        }
        return host;
    }

    private String nameOf(int app) {
        return "app-" + (app + 1);
    }

    private void useKeys() {
        if (over) {
            return;
        }
        int together = 1 + random.nextInt(MOST_KEYS_AT_ONCE);
        for (int i = 0; i < together; i++) {
            for (Plan.Client client : plan.clients(++keys, time.instant())) {
                used.putIfAbsent(client.payment().identity(), client.payment());
                String name = newClient();
                time.after(client.after(), () -> ask(name, 1, client));
            }
        }
        time.after(BETWEEN_KEYS.multipliedBy(together), this::useKeys);
    }

    private String newClient() {
        return "c" + ++clientNumber;
    }

    private void ask(String name, int number, Plan.Client client) {
        Payment payment = client.payment();
        int app = random.nextInt(hosts.size());
        if (hosts.get(app).isDead()) {
            time.after(Duration.ofMillis(50), () -> ask(name, number, client));
            return;
        }
        Try which = new Try(name, number, payment.identity(), payment.meaning(), nameOf(app));
        clients.add(new ClientEvent.Asked(time.instant(), which));
        boolean[] ended = new boolean[1];
        hosts.get(app).ask(payment, answer -> {
            if (!ended[0]) {
                ended[0] = true;
                answered(which, client, answer);
            }
        });
        time.after(PATIENCE, () -> {
            if (!ended[0]) {
                ended[0] = true;
                answered(which, client, null);
            }
        });
    }

    private void answered(Try which, Plan.Client client, @Nullable Answer answer) {
        ClientEvent event = answer == null
                ? new ClientEvent.Unanswered(time.instant(), which, "no answer")
                : new ClientEvent.Answered(time.instant(), which, answer.status(), answer.body());
        clients.add(event);
        if (!client.once() && !(event instanceof ClientEvent.Answered answered && answered.isFinal())) {
            int pause = Math.min(600, 15 << Math.min(which.number(), 6));
            time.after(
                    Duration.ofMillis(random.nextInt(pause / 2, pause)),
                    () -> ask(which.client(), which.number() + 1, client));
        }
    }

    private int began(Kind kind, String target, @Nullable Identity identity, String detail) {
        faults.add(new Began(time.instant(), ++faultNumber, kind, target, identity, detail));
        return faultNumber;
    }

    private void endAfter(Duration length, int number, Runnable end) {
        time.after(length, () -> {
            end.run();
            faults.add(new FaultEvent.Ended(time.instant(), number));
        });
    }

    private void apply(Fault fault) {
        if (fault instanceof Fault.Kill kill) {
            if (hosts.get(kill.app()).isRunning()) {
                hosts.get(kill.app()).die();
                restart(kill.app(), began(Kind.KILL, nameOf(kill.app()), null, "killed"));
            }
        } else if (fault instanceof Fault.HaltAt halt) {
            hosts.get(halt.app())
                    .haltAt(
                            halt.point(),
                            identity -> restart(
                                    halt.app(),
                                    began(Kind.KILL, nameOf(halt.app()), identity, "halted " + halt.point())));
        } else if (fault instanceof Fault.Stop stop) {
            stop(stop.app(), stop.length(), null, "stopped");
        } else if (fault instanceof Fault.StopAt stop) {
            hosts.get(stop.app())
                    .stopAt(
                            stop.point(),
                            identity -> stop(stop.app(), stop.length(), identity, "stopped " + stop.point()));
        } else if (fault instanceof Fault.FailVerb fail) {
            hosts.get(fail.app()).faulty().failNext(fail.verb(), fail.how());
            endAfter(Duration.ZERO, began(Kind.FAILED_CALL, nameOf(fail.app()), null, "next " + fail.verb()), () -> {});
        } else if (fault instanceof Fault.PauseStore pause && !down) {
            down = true;
            hosts.forEach(host -> host.faulty().down());
            endAfter(pause.length(), began(Kind.STORE, Began.ALL, null, "down"), () -> {
                down = false;
                hosts.forEach(host -> host.faulty().up());
            });
        }
    }

    private void restart(int app, int number) {
        endAfter(RESTART, number, () -> hosts.set(app, host(app)));
    }

    private void stop(int app, Duration length, @Nullable Identity identity, String detail) {
        SimulatedHost host = hosts.get(app);
        if (host.isDead() || over || time.nanos() < stoppedUntil[app]) {
            return;
        }
        stoppedUntil[app] = time.nanos() + length.plus(TIMING.settleWindow()).toNanos();
        host.stop();
        endAfter(length, began(Kind.STOP, nameOf(app), identity, detail), host::goOn);
    }
}
