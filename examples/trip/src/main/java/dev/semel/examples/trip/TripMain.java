package dev.semel.examples.trip;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Scope;
import dev.semel.Step;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Books a trip: a flight, a hotel, and a mail that confirms both, each of them once, even if this program is killed at any
 * point and started again.
 *
 * <ol>
 *   <li>A recorded step is not repeated.
 *   <li>Airline and hotel recognize a repeated key: a booking that may have been made without being recorded is repeated with
 *       the same key.
 *   <li>A mail server does not recognize a repeated mail: when it may have been sent without being recorded, the outcome of
 *       the trip is unknown until the reconciler has looked into the outbox.
 * </ol>
 *
 * <pre>TripMain DIRECTORY KEY [before|in STEP]</pre>
 *
 * <p>With a step, the program stops before it, or between its effect and its record, and waits to be killed.
 */
public final class TripMain {

    private static final Step FLIGHT = Step.named("flight").deduplicatedFor(Duration.ofHours(24));
    private static final Step HOTEL = Step.named("hotel").deduplicatedFor(Duration.ofHours(24));
    private static final Step MAIL = Step.named("mail");

    /** Recorded steps make it safe to execute again; the next start waits for the lease of the killed one. */
    private static final Operation BOOK_TRIP = Operation.named("book-trip")
            .lease(Duration.ofSeconds(1))
            .waitUpTo(Duration.ofSeconds(30))
            .reexecutableAfterCrash();

    private final Books airline;
    private final Books hotel;
    private final Books outbox;
    private final String stop;

    private TripMain(Path directory, String stop) {
        this.airline = new Books(directory.resolve("airline"));
        this.hotel = new Books(directory.resolve("hotel"));
        this.outbox = new Books(directory.resolve("outbox"));
        this.stop = stop;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2 && args.length != 4) {
            boolean help = List.of(args).contains("--help");
            (help ? System.out : System.err).println("""
                    Usage: semel trip DIRECTORY KEY [before|in flight|hotel|mail]
                    Books a trip, once for each KEY; with a step, it stops there and waits to be killed.""");
            System.exit(help ? 0 : 2);
        }
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        TripMain trip = new TripMain(directory, args.length == 4 ? args[2] + " " + args[3] : "");
        try (SemelEngine semel =
                SemelEngine.on(SqliteStore.open(directory.resolve("semel.db"))).build()) {
            System.out.println("Booked: " + trip.book(semel, args[1]));
        }
    }

    private String book(SemelEngine semel, String key) {
        Intent intent = Intent.of(
                BOOK_TRIP,
                Scope.of("alice"),
                Key.of(key),
                Fingerprinter.sha256().ofText("Lisbon in May"));
        try {
            return semel.execute(intent, Codec.text(), this::run).orThrow();
        } catch (OutcomeUnknownException inDoubt) {
            System.out.println("In doubt: " + inDoubt.getMessage());
            look(semel);
        }
        Execution<String> again = semel.execute(intent, Codec.text(), this::run);
        return again.orThrow();
    }

    private String run(Attempt attempt) {
        String flight =
                attempt.step(FLIGHT, Codec.text(), key -> effect(FLIGHT, () -> airline.enterOnce("flight", key)));
        String room = attempt.step(HOTEL, Codec.text(), key -> effect(HOTEL, () -> hotel.enterOnce("room", key)));
        attempt.step(MAIL, Codec.text(), key -> effect(MAIL, () -> outbox.enter("mail", key)));
        return confirmation(flight, room);
    }

    private static String confirmation(String flight, String room) {
        return flight + ", " + room;
    }

    /** Resolves the outcome once, by looking into the outbox; a service would run the reconciler as a daemon. */
    private void look(SemelEngine semel) {
        ReconcilePolicy policy =
                ReconcilePolicy.DEFAULT.settleWindow(Duration.ZERO); // a mail that is not in the file was not sent
        try (Reconciler reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(BOOK_TRIP, this::resolve, policy)
                .build()) {
            reconciler.runOnce();
        }
    }

    private Verdict resolve(UnknownOutcome unknown) {
        if (outbox.find(unknown.downstreamKey(MAIL.name())).isEmpty()) {
            return new Verdict.DidNotHappen("no such mail in the outbox");
        }
        String flight = unknown.recordedStep(FLIGHT.name(), Codec.text()).orElseThrow();
        String room = unknown.recordedStep(HOTEL.name(), Codec.text()).orElseThrow();
        return Verdict.happened(Codec.text(), confirmation(flight, room), "the mail is in the outbox");
    }

    private interface Effect {
        String happen();
    }

    private String effect(Step step, Effect effect) {
        stopIf("before " + step.name());
        String result = effect.happen();
        stopIf("in " + step.name());
        return result;
    }

    private void stopIf(String here) {
        if (!stop.equals(here)) {
            return;
        }
        System.out.println("Stopped " + here);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
