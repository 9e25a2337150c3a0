package dev.semel.torture;

import dev.semel.torture.history.FaultEvent.Began;
import dev.semel.torture.history.FaultEvent.Kind;
import dev.semel.torture.net.TcpProxy;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Breaks things as the schedule says, and leaves everything whole at the end. */
final class Breaker {

    private final Backend backend;
    private final List<Application> applications;
    private final FaultLog faults;
    private final Semaphore store = new Semaphore(1);
    private final Semaphore front = new Semaphore(1);
    private final Phaser running = new Phaser(1);

    Breaker(Backend backend, List<Application> applications, FaultLog faults) {
        this.backend = backend;
        this.applications = applications;
        this.faults = faults;
    }

    /** Goes through a schedule; returns when its last fault is over. */
    void run(List<Schedule.Planned> schedule) throws InterruptedException {
        long start = System.nanoTime();
        for (Schedule.Planned planned : schedule) {
            long early = planned.at().toNanos() - (System.nanoTime() - start);
            if (early > 0) {
                Threads.pause(Duration.ofNanos(early));
            }
            running.register();
            Threads.start("fault", () -> {
                try {
                    apply(planned.fault());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (IOException | SQLException e) {
                    throw new IllegalStateException("could not break: " + planned.fault(), e);
                } finally {
                    running.arriveAndDeregister();
                }
            });
        }
        running.awaitAdvanceInterruptibly(running.arrive());
        applications.forEach(Application::disarm);
    }

    private void apply(Fault fault) throws IOException, SQLException, InterruptedException {
        if (fault instanceof Fault.Kill kill) {
            if (othersServe(kill.app())) {
                applications.get(kill.app()).kill();
            }
        } else if (fault instanceof Fault.HaltAt halt) {
            if (othersServe(halt.app())) {
                applications.get(halt.app()).haltAt(halt.point());
            }
        } else if (fault instanceof Fault.Stop stop) {
            applications.get(stop.app()).stop(stop.length());
        } else if (fault instanceof Fault.StopAt stop) {
            applications.get(stop.app()).stopAt(stop.point(), stop.length());
        } else if (fault instanceof Fault.FailVerb fail) {
            applications.get(fail.app()).fail(fail.verb(), fail.how());
        } else if (fault instanceof Fault.PauseStore pause) {
            breakStore("paused for " + pause.length(), pause.length(), backend::pause, backend::goOn);
        } else if (fault instanceof Fault.KillStore kill) {
            breakStore("killed", kill.length(), backend::kill, backend::restart);
        } else if (fault instanceof Fault.MoveShard move) {
            Backend.Shards shards = backend.shards().orElseThrow();
            breakStore("a shard moved", Duration.ZERO, () -> shards.move(move.number()), () -> {});
        } else if (fault instanceof Fault.FlushFront
                || fault instanceof Fault.PoisonFront
                || fault instanceof Fault.PauseFront
                || fault instanceof Fault.KillFront) {
            breakFront(fault);
        } else {
            breakConnections(fault);
        }
    }

    /** A process takes seconds to start on a busy machine; with all of them down nothing would be in flight to be hit. */
    private boolean othersServe(int app) {
        return applications.size() == 1
                || applications.stream()
                        .filter(each -> each != applications.get(app))
                        .anyMatch(each -> each.port().isPresent());
    }

    private interface Action {
        void run() throws IOException, SQLException;
    }

    /** One at a time: what is broken cannot be broken again, and waiting for it would make one long outage of several. */
    private void breakStore(String detail, Duration length, Action broken, Action whole)
            throws IOException, SQLException, InterruptedException {
        breakOne(store, Kind.STORE, detail, length, broken, whole);
    }

    private void breakFront(Fault fault) throws IOException, SQLException, InterruptedException {
        Front redis = backend.front().orElseThrow();
        if (fault instanceof Fault.FlushFront) {
            breakFront("flushed", Duration.ZERO, redis::flush, () -> {});
        } else if (fault instanceof Fault.PoisonFront poison) {
            breakFront("poisoned", Duration.ZERO, () -> redis.poison(poison.seed()), () -> {});
        } else if (fault instanceof Fault.PauseFront pause) {
            breakFront("paused for " + pause.length(), pause.length(), redis::pause, redis::goOn);
        } else if (fault instanceof Fault.KillFront kill) {
            breakFront("killed", kill.length(), redis::kill, redis::restart);
        }
    }

    private void breakFront(String detail, Duration length, Action broken, Action whole)
            throws IOException, SQLException, InterruptedException {
        breakOne(front, Kind.FRONT, detail, length, broken, whole);
    }

    private void breakOne(Semaphore one, Kind kind, String detail, Duration length, Action broken, Action whole)
            throws IOException, SQLException, InterruptedException {
        if (!one.tryAcquire()) {
            return;
        }
        try {
            int number = faults.began(kind, Began.ALL, null, detail);
            try {
                broken.run();
                Threads.pause(length);
            } finally {
                whole.run();
                faults.ended(number);
            }
        } finally {
            one.release();
        }
    }

    private void breakConnections(Fault fault) throws InterruptedException {
        if (fault instanceof Fault.DropConnections drop) {
            onConnections(drop.app(), "dropped", Duration.ZERO, TcpProxy::drop, proxy -> {});
        } else if (fault instanceof Fault.RefuseConnections refuse) {
            onConnections(refuse.app(), "refused", refuse.length(), TcpProxy::refuse, TcpProxy::admit);
        } else if (fault instanceof Fault.StallConnections stall) {
            onConnections(stall.app(), "stalled", stall.length(), TcpProxy::stall, TcpProxy::flow);
        } else if (fault instanceof Fault.CutConnection cut) {
            onConnections(cut.app(), "cut", Duration.ZERO, proxy -> proxy.cutAfter(cut.bytes()), proxy -> {});
        } else if (fault instanceof Fault.LoseCommit lose) {
            onConnections(lose.app(), "commit lost", Duration.ZERO, TcpProxy::loseNextAnswer, proxy -> {});
        }
    }

    private void onConnections(
            int app, String detail, Duration length, Consumer<TcpProxy> broken, Consumer<TcpProxy> whole)
            throws InterruptedException {
        TcpProxy proxy = backend.proxy(app).orElseThrow();
        int number = faults.began(
                Kind.STORE, applications.get(app).name(), null, "connections " + detail + " for " + length);
        broken.accept(proxy);
        try {
            Threads.pause(length);
        } finally {
            whole.accept(proxy);
            faults.ended(number);
        }
    }
}
