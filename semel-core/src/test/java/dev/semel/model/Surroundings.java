package dev.semel.model;

import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.model.Entry.NextTry;
import dev.semel.model.Worker.Request;
import dev.semel.spi.UpkeepVerbs.Reschedule;

/** What may happen around workers and reconcilers: at the provider, in the store's background, and by the clock. */
final class Surroundings {

    private final Turn turn;
    private final World world;
    private final Entry entry;

    private Surroundings(Turn turn) {
        this.turn = turn;
        this.world = turn.world;
        this.entry = turn.entry();
    }

    static void add(Turn turn) {
        Surroundings around = new Surroundings(turn);
        around.provider();
        around.webhooks();
        around.background();
        around.clock();
    }

    private void provider() {
        for (int number = 0; number < world.workers().size(); number++) {
            Worker worker = world.workers().get(number);
            if (worker.isFlying()) {
                String request = "the request of worker " + (number + 1) + " ";
                turn.move(
                        request + "arrives: executed",
                        executed(world).with(number, worker.waitingFor(Request.EXECUTED)));
                if (mayRefuse()) {
                    turn.move(
                            request + "arrives: refused",
                            refused(world, worker.current()).with(number, worker.waitingFor(Request.REFUSED)));
                }
                turn.fault(request + "is lost", world.with(number, worker.waitingFor(Request.LOST)));
            }
        }
        stray(true, world.strays().current());
        stray(false, world.strays().earlier() > 0);
    }

    private void stray(boolean current, boolean flying) {
        if (!flying) {
            return;
        }
        World landed = world.with(world.strays().minus(current));
        turn.move("the request whose sender has gone arrives: executed", executed(landed));
        if (mayRefuse()) {
            turn.move("the request whose sender has gone arrives: refused", refused(landed, current));
        }
        turn.fault("the request whose sender has gone is lost", landed);
    }

    private World executed(World landed) {
        return landed.withEffects(turn.setup.deduplicating() ? 1 : world.effects() + 1);
    }

    private static World refused(World landed, boolean current) {
        return landed.with(landed.refused().plus(current));
    }

    /** Who recognizes a repetition does not refuse what it has done. */
    private boolean mayRefuse() {
        return !turn.setup.deduplicating() || world.effects() == 0;
    }

    /** An effect is an effect of this key, whichever attempt had it; a refusal is that of one attempt. */
    private void webhooks() {
        if (world.effects() > 0) {
            webhook("a webhook says that it happened", true, new Outcome.Completed(Entry.RECEIPT));
        }
        if (world.refused().current()) {
            webhook("a webhook says that it was refused", true, new Outcome.NotExecuted("refused"));
        }
        if (world.refused().earlier()) {
            webhook("a webhook says that an earlier attempt was refused", false, new Outcome.NotExecuted("refused"));
        }
    }

    private void webhook(String label, boolean current, Outcome outcome) {
        turn.store
                .reconcile(entry, Entry.lease(current), outcome, Flaw.UNFENCED_WEBHOOK)
                .ifPresent(write -> turn.write(label, write, world));
    }

    private void background() {
        turn.store.sweep(entry).ifPresent(write -> turn.write("the sweeper notices the expired lease", write, world));
        if (entry.nextTry() == NextTry.DEAD_LETTERED && !turn.setup.has(Flaw.DEAD_LETTERS_ARE_LEFT)) {
            turn.store
                    .reschedule(entry, Entry.lease(true), new Reschedule.Reset())
                    .ifPresent(write -> turn.write("a person has the search begin anew", write, world));
        }
        prune();
    }

    private void prune() {
        turn.store.prune(entry, false).ifPresent(write -> turn.write("pruning marks the record", write, world));
        turn.store
                .prune(entry, true)
                .ifPresent(write -> turn.write("pruning deletes the record", write, world.outdated()));
    }

    private void clock() {
        if (entry.leased()) {
            turn.move("the lease expires", world.with(entry.leaseExpired()));
        }
        if (entry.nextTry() == NextTry.LATER) {
            turn.move("it is time to ask again", world.with(entry.nextTryDue()));
        }
        if (entry.state() == State.UNKNOWN && !entry.settleable() && windowMayPass()) {
            turn.move("the settle window passes", world.with(entry.windowPassed()));
        }
        if (entry.kept() && isQuiet()) {
            turn.move("retention passes", world.with(entry.retentionPassed()).withEffects(0));
        }
    }

    /** The assumption: by then, whatever was sent has arrived or is lost, and no sender is left. */
    private boolean windowMayPass() {
        return (!world.hasFlying() || turn.setup.has(Flaw.REQUEST_OUTLASTS_WINDOW))
                && (!world.hasUnsent() || turn.setup.has(Flaw.PAUSE_OUTLASTS_WINDOW));
    }

    private boolean isQuiet() {
        return !world.hasFlying() && !world.hasUnsent();
    }
}
