package dev.semel.model;

import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.model.ModelStore.Claimed;
import dev.semel.model.Worker.Request;
import dev.semel.spi.Transitions.ClaimDecision;
import java.util.Optional;

/** What one worker, and the process it runs in, may do next. */
final class WorkerMoves {

    private static final Outcome COMPLETED = new Outcome.Completed(Entry.RECEIPT);
    private static final Outcome NOT_EXECUTED = new Outcome.NotExecuted("refused");
    private static final Outcome UNKNOWN = new Outcome.Unknown("timeout");

    private final Turn turn;
    private final World world;
    private final int number;
    private final Worker worker;
    private final String name;

    private WorkerMoves(Turn turn, int number) {
        this.turn = turn;
        this.world = turn.world;
        this.number = number;
        this.worker = world.workers().get(number);
        this.name = "worker " + (number + 1) + " ";
    }

    static void add(Turn turn, int number) {
        new WorkerMoves(turn, number).add();
    }

    private void add() {
        switch (worker.phase()) {
            case IDLE -> claim();
            case UNHEARD -> {
                claim();
                crash();
            }
            case GRANTED -> {
                send();
                giveBack();
                renew();
                crash();
            }
            case WAITING -> {
                hear();
                giveUp();
                renew();
                crash();
            }
        }
    }

    private World idle() {
        return world.with(number, Worker.IDLE);
    }

    private void claim() {
        Claimed claimed = turn.store.claim(turn.entry(), worker.equals(Worker.UNHEARD));
        Optional<Write> write = claimed.write();
        if (write.isPresent() && write.get().isGrant()) {
            World next = world.outdated();
            turn.write(name + "claims: granted", write.get(), next.with(number, Worker.GRANTED));
            turn.faultyWrite(
                    name + "claims: granted, but the answer is lost", write.get(), next.with(number, Worker.UNHEARD));
        } else if (write.isPresent()) {
            turn.write(name + "claims, and finds the lease expired: unknown", write.get(), idle());
        } else if (claimed.decision() == ClaimDecision.GRANT_SAME) {
            turn.move(name + "repeats its claim, and hears that it was granted", world.with(number, Worker.GRANTED));
        } else {
            turn.move(name + "claims, and is not granted", idle());
        }
    }

    private void send() {
        boolean late = !worker.current() || !turn.entry().leased();
        turn.move(
                name + (late ? "wakes up without its lease, and sends its request" : "sends its request"),
                world.with(number, worker.waitingFor(Request.FLYING)));
    }

    private void giveBack() {
        settle("gives its right back unused", NOT_EXECUTED);
    }

    /** Writes the outcome and is done; a write that is refused changes nothing. */
    private void settle(String what, Outcome outcome) {
        Optional<Write> write = turn.store.settle(turn.entry(), worker.lease(), outcome);
        if (write.isPresent()) {
            turn.write(name + what, write.get(), idle());
        } else {
            turn.move(name + what + ", which comes too late", idle());
        }
    }

    private void hear() {
        if (worker.request() == Request.EXECUTED) {
            settle("hears that it happened, and records the answer", COMPLETED);
            failToRecord();
        } else if (worker.request() == Request.REFUSED) {
            settle("hears that it was refused, and releases the key", NOT_EXECUTED);
        }
    }

    private void failToRecord() {
        if (turn.setup.has(Flaw.RELEASE_AFTER_FAILED_WRITE)) {
            turn.store
                    .settle(turn.entry(), worker.lease(), NOT_EXECUTED)
                    .ifPresent(write -> turn.faultyWrite(
                            name + "hears that it happened, cannot record it, and releases the key", write, idle()));
        } else {
            turn.fault(name + "hears that it happened, and cannot record it", idle());
        }
    }

    /** Who gives up says so, and may still hear a late answer; who gives up once more stops listening. */
    private void giveUp() {
        Optional<Write> write = turn.store.settle(turn.entry(), worker.lease(), UNKNOWN);
        boolean inVain = worker.request() == Request.LOST;
        if (write.isPresent()) {
            String label = name + "hears nothing in time, and says that the outcome is unknown";
            if (inVain) {
                turn.write(label, write.get(), world);
            } else {
                turn.faultyWrite(label, write.get(), world);
            }
            return;
        }
        World left = world.leftBy(number);
        if (left.strays().earlier() > World.Strays.MOST_EARLIER) {
            return;
        }
        if (inVain) {
            turn.move(name + "stops waiting", left);
        } else {
            turn.fault(name + "stops waiting", left);
        }
    }

    private void renew() {
        if (turn.entry().state() == State.IN_PROGRESS && !turn.entry().leased()) {
            turn.store
                    .renew(turn.entry(), worker.lease())
                    .ifPresent(
                            write -> turn.write(name + "renews its lease before its expiry was noticed", write, world));
        }
    }

    private void crash() {
        World left = world.leftBy(number);
        if (world.crashes() < SemelModel.CRASHES && left.strays().earlier() <= World.Strays.MOST_EARLIER) {
            turn.fault(name + "crashes", left.afterCrash());
        }
    }
}
