package dev.semel.server.cli;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows an unknown outcome, what was tried, and what a person can do. */
@Command(
        name = "show",
        description =
                "Shows a record, everything that happened to it, and what to do next. An unknown outcome is also found"
                        + " by the name of its key in logs, such as key#3bf8b157. Exits with 1 when there is none.")
final class UnknownShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Override
    public Integer call() {
        record.identity();
        Store opened = store.open();
        try (SemelEngine semel = record.engine(opened)) {
            Optional<StoredRecord> found = record.findAsLogged(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            PrintWriter out = spec.commandLine().getOut();
            List<AuditEntry> history =
                    semel.unknownOutcomes().history(found.get().identity());
            new RecordPage(out).print(found.get(), history);
            out.println();
            advise(out, found.get(), history);
            return ExitCode.OK;
        }
    }

    /** The commands name the attempt, so that what is learned about it settles no other. */
    private static void advise(PrintWriter out, StoredRecord record, List<AuditEntry> history) {
        if (record.reconciling() == null) {
            out.println("Nothing to decide: " + RecordArguments.whatItIs(record) + ".");
            return;
        }
        out.println(whoAsks(record, record.reconciling(), history));
        String fence = "--fence " + record.fence() + " ";
        advise(out, "it happened", "resolve " + fence + "--completed --status 201 --body '...' --reason '...'", record);
        advise(out, "it did not, and cannot any more", "resolve " + fence + "--not-executed --reason '...'", record);
        advise(out, "let the reconciler ask again now", "requeue --reason '...'", record);
    }

    /**
     * Whether a reconciler asks again, as far as the record shows it: the resolvers are in the application's processes. One
     * that runs has counted a try or left its finding, and makes the next try before it is overdue.
     */
    private static String whoAsks(StoredRecord record, Reconciling reconciling, List<AuditEntry> history) {
        if (reconciling.isDeadLettered()) {
            return "The reconciler has asked too often without an answer, and asks no more."
                    + " Find out whether it happened, then:";
        }
        String operation = Printable.text(record.operation());
        boolean asked = reconciling.tries() > 0
                || history.stream().anyMatch(entry -> entry.who().equals("resolver:" + record.operation()));
        if (!asked) {
            return "No resolver has been asked about this outcome (" + RecordPage.nextTry(record)
                    + "): no resolver is configured for " + operation + ", or its reconciler has not run since."
                    + " Find out whether it happened, then:";
        }
        if (RecordPage.isOverdue(record)) {
            return "The reconciler does not ask any more (" + RecordPage.nextTry(record)
                    + "): no resolver is configured for " + operation + " now, or its reconciler does not run."
                    + " Find out whether it happened, then:";
        }
        return "The reconciler asks again (" + RecordPage.nextTry(record) + "). If you know better:";
    }

    private static void advise(PrintWriter out, String when, String command, StoredRecord record) {
        Identity identity = record.identity();
        out.printf(
                "  %-33s ./semel unknown %s -- %s %s%n",
                when + ":",
                command,
                Printable.word(identity.scope().value()),
                Printable.word(identity.key().value()));
    }
}
