package dev.semel.torture;

import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.FaultyStore.Verb;
import dev.semel.torture.app.Timing;
import dev.semel.torture.crash.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What gets broken when: a function of the seed and of nothing that happens in the run.
 *
 * <p>Store faults come in storms with calm between them, so that a server error during the calm has no excuse.
 */
final class Schedule {

    /** One fault. */
    record Planned(Duration at, Fault fault) {}

    /** Short enough that keys are hit in flight all the time, long enough that processes get back on their feet. */
    private static final int MEAN_GAP_MILLIS = 350;

    private static final int STORM_MILLIS = 6_000;
    private static final int CALM_MILLIS = 4_000;

    private final SplittableRandom random;
    private final Setup setup;
    private final Timing timing;
    private final int[] stoppedUntil;

    private Schedule(Setup setup, Timing timing) {
        this.random = new SplittableRandom(setup.seed());
        this.setup = setup;
        this.timing = timing;
        this.stoppedUntil = new int[setup.apps()];
    }

    /** The faults of a run, in order. */
    static List<Planned> of(Setup setup, Timing timing) {
        return new Schedule(setup, timing).planned();
    }

    private List<Planned> planned() {
        List<Planned> all = new ArrayList<>();
        int end = (int) setup.length().toMillis();
        int gap = setup.emphasis().isOnSettlements() ? MEAN_GAP_MILLIS / 4 : MEAN_GAP_MILLIS;
        // The first second is for traffic to begin.
        for (int now = 1_000; now < end; now += random.nextInt(2 * gap)) {
            all.add(new Planned(Duration.ofMillis(now), next(now)));
        }
        if (setup.server() == Setup.Server.OWN_TIERED) {
            for (int now = 1_000; now < end; now += random.nextInt(4 * MEAN_GAP_MILLIS)) {
                all.add(new Planned(Duration.ofMillis(now), frontFault()));
            }
            all.sort(Comparator.comparing(Planned::at));
        }
        return all;
    }

    private Fault next(int now) {
        boolean storm = now % (STORM_MILLIS + CALM_MILLIS) < STORM_MILLIS;
        int app = random.nextInt(setup.apps());
        int dice = random.nextInt(100);
        if (setup.emphasis().isOnSettlements() && random.nextInt(4) > 0) {
            boolean written = setup.emphasis() == Emphasis.LOST_RELEASES;
            return new Fault.FailVerb(
                    app, Verb.SETTLE, written ? FaultyStore.Fault.ANSWER_LOST : FaultyStore.Fault.REFUSED);
        }
        if (storm && dice < 35) {
            return storeFault(app);
        }
        if (dice < 52) {
            return new Fault.HaltAt(app, pick(CrashPoint.values()));
        }
        if (dice < 80 && now > stoppedUntil[app]) {
            return stop(now, app);
        }
        if (dice < 90) {
            return new Fault.Kill(app);
        }
        return failVerb(app);
    }

    private Fault storeFault(int app) {
        return switch (setup.server()) {
            case SQLITE -> fileFault(app);
            case OWN_REDIS_CLUSTER -> clusterFault();
            case OWN_CASSANDRA -> nodesFault();
            case FOREIGN_REDIS_CLUSTER -> failVerb(app);
            case OWN_POSTGRESQL, FOREIGN_POSTGRESQL, OWN_MARIADB, FOREIGN_MYSQL, OWN_REDIS, FOREIGN_REDIS, OWN_TIERED ->
                serverFault(app);
        };
    }

    /** Besides all others, and at any time: it is no excuse for anything. */
    private Fault frontFault() {
        return switch (random.nextInt(8)) {
            case 0 -> new Fault.FlushFront();
            case 1 -> new Fault.PauseFront(between(200, 3_000));
            case 2 -> new Fault.KillFront(between(100, 1_500));
            default -> new Fault.PoisonFront(random.nextInt());
        };
    }

    private Fault clusterFault() {
        return switch (random.nextInt(4)) {
            case 0 -> new Fault.PauseStore(between(200, 3_000));
            case 1 -> new Fault.KillStore(between(100, 1_500));
            default -> new Fault.MoveShard(random.nextInt(Integer.MAX_VALUE));
        };
    }

    private Fault nodesFault() {
        return random.nextInt(3) == 0
                ? new Fault.KillStore(between(100, 1_500))
                : new Fault.PauseStore(between(200, 3_000));
    }

    private Fault fileFault(int app) {
        return random.nextInt(2) == 0 ? new Fault.PauseStore(between(200, 3_000)) : failVerb(app);
    }

    private Fault failVerb(int app) {
        Verb verb = pick(Verb.CLAIM, Verb.SETTLE, Verb.SETTLE, Verb.RENEW, Verb.RECONCILE);
        return new Fault.FailVerb(app, verb, pick(FaultyStore.Fault.values()));
    }

    private Fault serverFault(int app) {
        int dice = random.nextInt(setup.server().isOurs() ? 9 : 7);
        return switch (dice) {
            case 0 -> new Fault.DropConnections(app);
            case 1 -> new Fault.RefuseConnections(app, between(200, 2_000));
            case 2 -> new Fault.StallConnections(app, between(200, 3_000));
            case 3 -> new Fault.CutConnection(app, 1 + random.nextInt(2_000));
            case 4, 5, 6 -> new Fault.LoseCommit(app);
            case 7 -> new Fault.PauseStore(between(200, 3_000));
            default -> new Fault.KillStore(between(100, 1_500));
        };
    }

    /** Mostly at points where an attempt goes on when its lease has expired under it. */
    private Fault stop(int now, int app) {
        Duration length = stopLength(now, app);
        return random.nextInt(4) == 0
                ? new Fault.Stop(app, length)
                : new Fault.StopAt(
                        app,
                        pick(CrashPoint.BEFORE_DISPATCH, CrashPoint.AFTER_DISPATCH, CrashPoint.BEFORE_COMPLETE),
                        length);
    }

    /** Two stops in a row would be one that is longer than the settle window allows for. */
    private Duration stopLength(int now, int app) {
        // Until the lease has expired and the sweeper has noticed.
        int shortest =
                (int) timing.lease().plus(timing.sweepEvery().multipliedBy(2)).toMillis();
        Duration length = between(shortest, (int) timing.longestStop().toMillis());
        stoppedUntil[app] = now + (int) timing.settleWindow().toMillis();
        return length;
    }

    private Duration between(int fewest, int most) {
        return Duration.ofMillis(random.nextInt(fewest, most + 1));
    }

    @SafeVarargs
    private <T> T pick(T... from) {
        return from[random.nextInt(from.length)];
    }
}
