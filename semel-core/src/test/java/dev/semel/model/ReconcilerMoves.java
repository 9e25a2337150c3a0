package dev.semel.model;

import dev.semel.Outcome;
import dev.semel.model.Inquiry.Phase;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.util.Optional;

/** What one reconciler may do next. */
final class ReconcilerMoves {

    /** How often it asks before it leaves a record to a person. */
    static final int MAX_TRIES = 2;

    private static final Outcome NOT_EXECUTED = new Outcome.NotExecuted("not found");

    private final Turn turn;
    private final World world;
    private final int number;
    private final Inquiry inquiry;
    private final String name;

    private ReconcilerMoves(Turn turn, int number) {
        this.turn = turn;
        this.world = turn.world;
        this.number = number;
        this.inquiry = world.inquiries().get(number);
        this.name = "reconciler " + (number + 1) + " ";
    }

    static void add(Turn turn, int number) {
        new ReconcilerMoves(turn, number).add();
    }

    private void add() {
        switch (inquiry.phase()) {
            case IDLE -> take();
            case TAKEN -> {
                ask();
                crash();
            }
            case HAPPENED -> {
                reconcile("settles: it happened", new Outcome.Completed(Entry.RECEIPT));
                crash();
            }
            case DID_NOT_HAPPEN -> {
                reconcile("settles: it did not happen", NOT_EXECUTED);
                crash();
            }
            case NOT_YET -> {
                if (turn.setup.has(Flaw.WINDOW_JUDGED_AFTER_ASKING)
                        && turn.entry().settleable()) {
                    reconcile("settles: it did not happen", NOT_EXECUTED);
                } else {
                    reschedule();
                }
                crash();
            }
            case CANNOT_TELL -> {
                if (inquiry.tries() < MAX_TRIES) {
                    reschedule();
                } else {
                    leaveToPerson();
                }
                crash();
            }
        }
    }

    private World idle() {
        return world.with(number, Inquiry.IDLE);
    }

    private void take() {
        turn.store.take(turn.entry()).ifPresent(write -> {
            Entry taken = write.entry();
            World next = world.with(number, Inquiry.of(taken)).with(taken).countedUpTo(MAX_TRIES);
            turn.writeTo(name + "takes the record", write, next);
        });
    }

    private void ask() {
        boolean found = world.effects() > 0;
        turn.move(
                name + (found ? "asks, and the provider has it" : "asks, and the provider does not have it"),
                world.with(number, inquiry.heard(found ? Phase.HAPPENED : whenNotFound())));
        turn.fault(name + "asks, and gets no answer", world.with(number, inquiry.heard(Phase.CANNOT_TELL)));
    }

    private Phase whenNotFound() {
        return inquiry.settleable() || turn.setup.has(Flaw.NO_SETTLE_WINDOW) ? Phase.DID_NOT_HAPPEN : Phase.NOT_YET;
    }

    private void reconcile(String what, Outcome outcome) {
        write(what, turn.store.reconcile(turn.entry(), inquiry.lease(), outcome, Flaw.UNFENCED_VERDICT));
    }

    private void reschedule() {
        write(
                "will ask again",
                turn.store.reschedule(turn.entry(), inquiry.lease(), turn.store.again(inquiry.tries())));
    }

    private void leaveToPerson() {
        Reschedule deadLetter = new Reschedule.DeadLetter(inquiry.tries());
        write("leaves it to a person", turn.store.reschedule(turn.entry(), inquiry.lease(), deadLetter));
    }

    private void write(String what, Optional<Write> write) {
        if (write.isPresent()) {
            turn.write(name + what, write.get(), idle());
        } else {
            turn.move(name + what + ", which comes too late", idle());
        }
    }

    private void crash() {
        if (world.crashes() < SemelModel.CRASHES) {
            turn.fault(name + "crashes", idle().afterCrash());
        }
    }
}
