package dev.semel.server.cli;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Resets the tries of an unknown outcome. */
@Command(
        name = "requeue",
        description =
                "Resets the tries of an unknown outcome or a dead letter, so that the reconciler tries it again at once."
                        + " Exits with 1 when the record is not unknown.")
final class UnknownRequeueCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Mixin
    private EvidenceOptions evidence = new EvidenceOptions();

    @Override
    public Integer call() {
        Evidence why = evidence.evidence();
        record.identity();
        if (server.isGiven()) {
            try (AdminClient client = server.open(store)) {
                new RemoteRecord(client, record).requeue(why.detail());
            }
            spec.commandLine().getOut().println("Requeued: the reconciler tries it at its next run.");
            return ExitCode.OK;
        }
        Store opened = store.open();
        try (SemelEngine semel = record.engine(opened)) {
            Optional<StoredRecord> found = record.findUnknown(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            if (!(semel.unknownOutcomes().requeue(found.get().identity(), why) instanceof Reconciliation.Accepted)) {
                spec.commandLine()
                        .getErr()
                        .println("semel: another person or process has just settled it; nothing was changed");
                return ExitCode.SOFTWARE;
            }
            spec.commandLine().getOut().println("Requeued: the reconciler tries it at its next run.");
            return ExitCode.OK;
        }
    }
}
