package dev.semel.server.cli;

import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Removes or marks the records that have outlived their retention. */
@Command(
        name = "prune",
        description = "Deletes the records that have outlived their retention, in short batches beside the traffic."
                + " Records in progress and unknown outcomes stay.")
final class PruneCommand implements Runnable {

    private static final int LARGEST_BATCH = 100_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--soft", description = "Mark them expired and drop their responses, but keep the rest for audit.")
    private boolean soft;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many to prune in one transaction (${DEFAULT-VALUE}).")
    private int batch;

    @Override
    public void run() {
        if (batch < 1 || batch > LARGEST_BATCH) {
            throw new ParameterException(
                    spec.commandLine(), "--batch is " + batch + ", it must be between 1 and " + LARGEST_BATCH);
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
