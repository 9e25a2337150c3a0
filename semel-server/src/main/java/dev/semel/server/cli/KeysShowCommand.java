package dev.semel.server.cli;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the record of a key, without its response. */
@Command(
        name = "show",
        description = "Shows the record of a key with its history; of the response only the size."
                + " Exits with 1 when there is no such record.")
final class KeysShowCommand implements Callable<Integer> {

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
            Optional<StoredRecord> found = record.find(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            new RecordPage(spec.commandLine().getOut())
                    .print(
                            found.get(),
                            semel.unknownOutcomes().history(found.get().identity()));
            return ExitCode.OK;
        }
    }
}
