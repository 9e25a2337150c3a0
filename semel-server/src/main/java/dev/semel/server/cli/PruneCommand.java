package dev.semel.server.cli;

import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Deletes or marks records whose retention has ended. */
@Command(
        name = "prune",
        description = "Deletes the records whose retention has ended, in short batches while the store is in use."
                + " Records in progress and unknown outcomes are kept.")
final class PruneCommand implements Runnable {

    private static final int MAX_BATCH = 100_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = "--soft",
            description = "Mark the records as expired and delete their responses, but keep the rest for audit.")
    private boolean soft;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "500",
            description = "The number of records per transaction (${DEFAULT-VALUE}).")
    private int batch;

    @Override
    public void run() {
        if (batch < 1 || batch > MAX_BATCH) {
            throw new ParameterException(
                    spec.commandLine(), "--batch is " + batch + ", it must be between 1 and " + MAX_BATCH);
        }
        Expiry expiry = soft ? Expiry.MARK : Expiry.DELETE;
        try (Store opened = store.open()) {
            long all = 0;
            int pruned;
            do {
                pruned = opened.prune(batch, expiry);
                all += pruned;
            } while (pruned == batch);
            spec.commandLine()
                    .getOut()
                    .printf("%s %d %s%n", soft ? "Marked" : "Deleted", all, all == 1 ? "record" : "records");
        }
    }
}
