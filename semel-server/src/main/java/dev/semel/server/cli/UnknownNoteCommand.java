package dev.semel.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Leaves a note about an unknown outcome for the next person. */
@Command(
        name = "note",
        description =
                "Writes into the history of an unknown outcome that you looked and cannot tell; lists and the console show"
                        + " it to the next person. Changes nothing else. Exits with 1 when the record is not unknown.")
final class UnknownNoteCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "What you saw, and where.")
    private String reason = "";

    @Override
    public Integer call() {
        record.identity();
        if (reason.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--reason is empty: say what you saw");
        }
        try (AdminClient client = server.isGiven() ? server.open(store) : AdminClient.on(record.engine(store.open()))) {
            new RemoteRecord(client, record).note(reason);
        }
        spec.commandLine().getOut().println("Noted; the outcome stays unknown.");
        return ExitCode.OK;
    }
}
