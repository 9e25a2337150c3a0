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

/** Shows an unknown outcome, its history, and the commands that settle it. */
@Command(
        name = "show",
        description =
                "Shows a record, its history, and what to do next. An unknown outcome is also found by the hash of its"
                        + " key in logs, such as key#3bf8b157. Exits with 1 when there is no such record.")
final class UnknownShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Override
    public Integer call() {
        record.identity();
        if (server.isGiven()) {
            try (AdminClient client = server.open(store)) {
                RemoteRecord.print(
                        new RemoteRecord(client, record).get(),
                        spec.commandLine().getOut());
            }
            return ExitCode.OK;
        }
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

    /** The commands contain the fence, so that they settle this attempt and no later one. */
    private static void advise(PrintWriter out, StoredRecord record, List<AuditEntry> history) {
        if (record.reconciling() == null) {
            out.println("Nothing to settle: " + RecordArguments.stateOf(record) + ".");
            return;
        }
        out.println(reconcilerStatus(record, record.reconciling(), history));
        String fence = "--fence " + record.fence() + " ";
        advise(
                out,
                "if it happened",
                "resolve " + fence + "--completed --status 201 --body '...' --reason '...'",
                record);
        advise(out, "if it did not and cannot any more", "resolve " + fence + "--not-executed --reason '...'", record);
        advise(out, "to let the reconciler try now", "requeue --reason '...'", record);
    }

    /**
     * Whether a reconciler works on the record, as far as the record shows it: reconcilers run in the application. One that runs
     * has counted a try or recorded a result, and makes the next try before it is overdue.
     */
    private static String reconcilerStatus(StoredRecord record, Reconciling reconciling, List<AuditEntry> history) {
        if (reconciling.isDeadLettered()) {
            return "The reconciler has given up after too many tries. Find out whether the operation happened, then:";
        }
        String operation = Printable.text(record.operation());
        boolean tried = reconciling.tries() > 0
                || history.stream().anyMatch(entry -> entry.who().equals("resolver:" + record.operation()));
        if (!tried) {
            return "The reconciler has not tried this outcome (" + RecordPage.nextTry(record)
                    + "): no resolver is configured for " + operation + ", or its reconciler has not run since."
                    + " Find out whether the operation happened, then:";
        }
        if (RecordPage.isOverdue(record)) {
            return "The reconciler has stopped trying (" + RecordPage.nextTry(record)
                    + "): no resolver is configured for " + operation + " any more, or its reconciler does not run."
                    + " Find out whether the operation happened, then:";
        }
        return "The reconciler tries again (" + RecordPage.nextTry(record) + "). To settle it yourself:";
    }

    private static void advise(PrintWriter out, String when, String command, StoredRecord record) {
        Identity identity = record.identity();
        out.printf(
                "  %-35s ./semel unknown %s -- %s %s%n",
                when + ":",
                command,
                Printable.word(identity.scope().value()),
                Printable.word(identity.key().value()));
    }
}
