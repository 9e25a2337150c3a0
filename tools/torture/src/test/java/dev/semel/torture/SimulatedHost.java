package dev.semel.torture;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.engine.Timer;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.Reconciler;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.FaultyStore;
import dev.semel.testsupport.stores.ForwardingStore;
import dev.semel.torture.app.Answer;
import dev.semel.torture.app.Payment;
import dev.semel.torture.app.PaymentService;
import dev.semel.torture.app.Provider;
import dev.semel.torture.app.Reconciling;
import dev.semel.torture.app.Timing;
import dev.semel.torture.bugs.Bug;
import dev.semel.torture.bugs.Eraser;
import dev.semel.torture.bugs.PlantedBugs;
import dev.semel.torture.crash.CrashPoint;
import dev.semel.torture.crash.CrashPoints;
import dev.semel.torture.crash.CrashingStore;
import dev.semel.torture.history.Receipt;
import dev.semel.torture.provider.Books;
import dev.semel.torture.provider.Charge;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The application in a process that is none: everything that enters or leaves it passes through {@link #run}, which holds it
 * back while the process is stopped and drops it when the process is dead.
 */
final class SimulatedHost {

    private static final Duration LATENCY = Duration.ofMillis(2);

    /** Unwinds the stack of the thread that reached a point where the process ends. */
    private static final class Halted extends Error {
        private static final long serialVersionUID = 1;

        Halted() {
            super("halted", null, false, false);
        }
    }

    private final ManualTime time;
    private final FaultyStore faulty;
    private final CrashPoints points = new CrashPoints();
    private final PaymentService service;
    private final Queue<Runnable> heldBack = new ArrayDeque<>();
    private final List<Consumer<@Nullable Answer>> callers = new ArrayList<>();
    private boolean stopped;
    private boolean dead;

    SimulatedHost(
            ManualTime time,
            ErasableStore shared,
            Books books,
            Duration skew,
            @Nullable Bug bug,
            Timing timing,
            Expiry expiry) {
        this.time = time;
        this.faulty = new FaultyStore(shared);
        Store store = PlantedBugs.plant(
                bug,
                new CrashingStore(new RemoteStore(faulty), points),
                () -> time.instant().plus(skew),
                (Eraser) shared);
        SemelEngine semel = SemelEngine.on(store)
                .timer(new HostTimer())
                .pruneEvery(timing.sweepEvery(), expiry)
                .build();
        Provider provider = new RemoteProvider(books, timing.providerPatience());
        service = new PaymentService(semel, provider, points, timing, bug);
        Reconciler reconciler = Reconciling.on(semel, provider, timing, bug);
        if (bug != Bug.NO_SWEEPER) {
            reconcile(reconciler, timing.sweepEvery());
        }
    }

    private void reconcile(Reconciler reconciler, Duration every) {
        time.after(
                every,
                () -> run(() -> {
                    try {
                        reconciler.runOnce();
                    } catch (Halted halted) {
                        return;
                    }
                    reconcile(reconciler, every);
                }));
    }

    /** Does something in the process, now or when it goes on, or never. */
    private void run(Runnable what) {
        if (stopped) {
            heldBack.add(what);
        } else if (!dead) {
            what.run();
        }
    }

    private void sent(Runnable what) {
        run(() -> time.after(LATENCY, what));
    }

    private void received(Runnable what) {
        time.after(LATENCY, () -> run(what));
    }

    boolean isRunning() {
        return !dead && !stopped;
    }

    boolean isDead() {
        return dead;
    }

    /** A client asks; its answer is null when the connection breaks. */
    void ask(Payment payment, Consumer<@Nullable Answer> caller) {
        callers.add(caller);
        received(() -> {
            CompletionStage<Answer> answer;
            try {
                answer = service.pay(payment);
            } catch (Halted halted) {
                return;
            }
            answer.thenAccept(received -> sent(() -> {
                callers.remove(caller);
                caller.accept(received);
            }));
        });
    }

    void die() {
        if (dead) {
            return;
        }
        dead = true;
        stopped = false;
        heldBack.clear();
        List.copyOf(callers).forEach(caller -> caller.accept(null));
        callers.clear();
    }

    void stop() {
        stopped = !dead;
    }

    void goOn() {
        stopped = false;
        List<Runnable> waiting = List.copyOf(heldBack);
        heldBack.clear();
        waiting.forEach(this::run);
    }

    void haltAt(CrashPoint point, Consumer<Identity> listener) {
        points.arm(point, (reached, identity) -> {
            listener.accept(identity);
            die();
            throw new Halted();
        });
    }

    /** Stops when the point is reached: what the process does next waits, as it would in the middle of a call. */
    void stopAt(CrashPoint point, Consumer<Identity> listener) {
        points.arm(point, (reached, identity) -> listener.accept(identity));
    }

    FaultyStore faulty() {
        return faulty;
    }

    private final class HostTimer implements Timer {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public Cancellable after(Duration delay, Runnable task) {
            return time.after(delay, () -> run(task));
        }

        @Override
        public void pause(Duration delay) {
            throw new UnsupportedOperationException("nothing may block in a simulation");
        }
    }

    /** The store, a network away; verbs that are waited for on the spot take no time. */
    private final class RemoteStore extends ForwardingStore {

        RemoteStore(Store inner) {
            super(inner);
        }

        private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call) {
            CompletableFuture<T> result = new CompletableFuture<>();
            sent(() -> call.get()
                    .whenComplete((answer, failure) -> received(() -> {
                        if (failure == null) {
                            result.complete(answer);
                        } else {
                            result.completeExceptionally(failure);
                        }
                    })));
            return result;
        }

        @Override
        public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
            return later(() -> super.claim(request));
        }

        @Override
        public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
            return later(() -> super.settle(lease, outcome, retention));
        }

        @Override
        public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
            return later(() -> super.renew(lease, duration));
        }

        @Override
        public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
            if (dead) {
                throw new StoreException("the process is dead");
            }
            return super.reconcile(lease, outcome, evidence, retention);
        }
    }

    private final class RemoteProvider implements Provider {

        private final Books books;
        private final Duration patience;

        RemoteProvider(Books books, Duration patience) {
            this.books = books;
            this.patience = patience;
        }

        @Override
        public CompletionStage<Optional<Receipt>> charge(Charge charge) {
            if (dead) {
                return CompletableFuture.failedFuture(new NotExecutedException("the process is dead"));
            }
            CompletableFuture<Optional<Receipt>> answer = new CompletableFuture<>();
            sent(() -> books.charge(charge).thenAccept(receipt -> received(() -> answer.complete(receipt))));
            time.after(
                    patience,
                    () -> run(() -> answer.completeExceptionally(new OutcomeUnknownException("no answer in time"))));
            return answer;
        }

        @Override
        public Optional<Receipt> lookUp(String downstreamKey, String meaning, Identity identity) {
            return books.lookUp(downstreamKey, meaning, identity);
        }
    }
}
