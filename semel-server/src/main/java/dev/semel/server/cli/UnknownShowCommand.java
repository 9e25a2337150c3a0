package dev.semel.server.cli;

import dev.semel.Identity;
import dev.semel.Semel;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.StoredRecord;
import java.io.PrintWriter;
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
        description = "Shows a record, everything that happened to it, and what to do next."
                + " Exits with 1 when there is none.")
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
        ReconcilableStore opened = store.open();
        try (Semel semel = record.engine(opened)) {
            Optional<StoredRecord> found = record.find(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            PrintWriter out = spec.commandLine().getOut();
            RecordPage page = new RecordPage(out);
            page.print(found.get());
            out.println();
            page.print(semel.unknownOutcomes().history(found.get().identity()));
            out.println();
            advise(out, found.get());
            return ExitCode.OK;
        }
    }

    /** The commands name the attempt, so that what is learned about it settles no other. */
    private static void advise(PrintWriter out, StoredRecord record) {
        if (record.reconciling() == null) {
            out.println("Nothing to decide: " + RecordArguments.whatItIs(record) + ".");
            return;
        }
        out.println(
                record.isDeadLettered()
                        ? "Nobody asks any more. Find out whether it happened, then:"
                        : "The reconciler asks again (" + RecordPage.nextTry(record) + "). If you know better:");
        String fence = "--fence " + record.fence() + " ";
        advise(out, "it happened", "resolve " + fence + "--completed --status 201 --body '...' --reason '...'", record);
        advise(out, "it did not, and cannot any more", "resolve " + fence + "--not-executed --reason '...'", record);
        advise(out, "let the reconciler ask again now", "requeue --reason '...'", record);
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
