package dev.semel.http;

import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.TransactionClaims;
import dev.semel.engine.SemelEngine;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request whose claim, handler and record are one transaction.
 *
 * <ol>
 *   <li>A response that is to be recorded commits with its record. If the commit is not confirmed, the response is not sent,
 *       and the client is asked to retry: the same key then finds the record, or executes.
 *   <li>Everything else rolls back, and leaves nothing behind.
 *   <li>An unknown outcome commits without the handler's work. Where that transaction cannot commit, the outcome is
 *       recorded outside of it.
 *   <li>Late work that came to nothing is answered by the record of its key, if there is one: in a second transaction, which
 *       executes nothing.
 *   <li>A replay or a refusal is sent however the transaction ends, since there is nothing in it.
 * </ol>
 */
final class OneTransaction implements TransactionRunner.Work {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final SemelEngine semel;
    private final Intent intent;
    private final Function<Claim, Decision> decide;
    private final @Nullable TransactionHandler handler;
    private final Thread caller = Thread.currentThread();
    private boolean called;
    private @Nullable TransactionClaims within;
    private @Nullable Answer answer;
    private @Nullable Ran ran;
    private @Nullable Throwable fault;

    private record Ran(Run run, Ending ending) {}

    /** Asks the runner to roll back. It carries no stack trace, since nothing went wrong here. */
    private static final class UndoException extends RuntimeException {

        private static final long serialVersionUID = 1;

        UndoException() {
            super("the request is not recorded, so its transaction is rolled back", null, false, false);
        }
    }

    /** Without a handler, it only answers from a record. */
    OneTransaction(
            SemelEngine semel, Intent intent, Function<Claim, Decision> decide, @Nullable TransactionHandler handler) {
        this.semel = semel;
        this.intent = intent;
        this.decide = decide;
        this.handler = handler;
    }

    Ending through(TransactionRunner runner, Answer storeUnavailable) {
        Throwable trouble = null;
        try {
            runner.run(this);
        } catch (InterruptedException e) {
            caller.interrupt();
            trouble = e;
        } catch (Exception | Error e) {
            trouble = e;
        }
        if (within != null && (trouble != null || !isToCommit())) {
            recordUnknown(within, trouble);
        }
        if (!called && trouble == null) {
            throw new IllegalStateException("the TransactionRunner of " + name() + " did not call its work");
        }
        if (!called || fault instanceof StoreException) {
            log(Level.WARNING, "is refused: its transaction could not begin", trouble);
            return new Ending.Replacement(storeUnavailable);
        }
        Ending ending = ended(trouble);
        return isLateInVain() ? new OneTransaction(semel, intent, decide, null).recorded(runner, ending) : ending;
    }

    /** Whether late work was rolled back, perhaps because of what a duplicate has written. */
    private boolean isLateInVain() {
        return within != null
                && within.isLate()
                && ran != null
                && !isToCommit()
                && !(ran.run().meant() instanceof Outcome.Unknown);
    }

    /** The answer from the record, or the one that was there without it. */
    private Ending recorded(TransactionRunner runner, Ending otherwise) {
        try {
            if (semel.find(intent.identity()).isPresent()) {
                runner.run(this);
            }
        } catch (InterruptedException e) {
            caller.interrupt();
        } catch (Exception e) {
            if (!isOurs(e)) {
                log(Level.WARNING, "could not be answered from its record", e);
            }
        }
        return answer == null ? otherwise : new Ending.Replacement(answer);
    }

    @Override
    public void on(Connection connection) {
        if (called || Thread.currentThread() != caller) {
            throw new IllegalStateException("the TransactionRunner of " + name()
                    + " must call its work once, on the thread that it was called on itself");
        }
        called = true;
        try {
            work(connection);
        } catch (RuntimeException | Error e) {
            fault = e;
            throw e;
        }
        if (!isToCommit()) {
            throw new UndoException();
        }
    }

    /** Whether there is nothing in the transaction that has to be undone. */
    private boolean isToCommit() {
        return ran == null || ran.run().isToCommit();
    }

    private void work(Connection connection) {
        within = handler == null ? semel.within(connection) : semel.withinOwn(connection);
        Decision decision = decide.apply(within.begin(intent));
        if (decision instanceof Decision.Reply reply) {
            answer = reply.answer();
        } else if (handler == null) {
            throw new UndoException();
        } else if (decision instanceof Decision.Proceed proceed) {
            ran = new Ran(proceed.run(), handler.handle(proceed.run(), connection));
        }
    }

    private Ending ended(@Nullable Throwable trouble) {
        if (fault instanceof RuntimeException exception) {
            throw exception;
        }
        if (fault instanceof Error error) {
            throw error;
        }
        if (answer != null) {
            if (trouble != null) {
                log(Level.WARNING, "was answered, but its transaction, which changed nothing, failed to end", trouble);
            }
            return new Ending.Replacement(answer);
        }
        if (ran == null) {
            throw new IllegalStateException("a claim of " + name() + " was neither granted nor answered");
        }
        return ended(ran, trouble);
    }

    private Ending ended(Ran done, @Nullable Throwable trouble) {
        boolean toCommit = done.run().isToCommit();
        if (toCommit && trouble == null) {
            return done.ending();
        }
        if (done.run().meant() instanceof Outcome.Unknown) {
            return done.ending();
        }
        if (toCommit) {
            log(Level.ERROR, "was executed, but its commit was not confirmed; the client is asked to retry", trouble);
            return new Ending.Replacement(done.run().notConfirmed());
        }
        if (trouble != null && !isOurs(trouble)) {
            log(Level.WARNING, "was to be rolled back, but the rollback was not confirmed", trouble);
        }
        return done.ending();
    }

    /** The transaction is over without a confirmed commit. The engine logs what it could not record. */
    private void recordUnknown(TransactionClaims transaction, @Nullable Throwable trouble) {
        if (!transaction.settleUnknownAfterRollback().isEmpty()) {
            log(Level.WARNING, "has an unknown outcome, which its own transaction could not record", trouble);
        }
    }

    private static boolean isOurs(Throwable trouble) {
        return trouble instanceof UndoException || trouble.getCause() instanceof UndoException;
    }

    private void log(Level level, String what, @Nullable Throwable cause) {
        LOG.log(level, "a request of " + name() + " " + what, cause);
    }

    private String name() {
        return intent.operation().name() + " " + intent.identity();
    }
}
