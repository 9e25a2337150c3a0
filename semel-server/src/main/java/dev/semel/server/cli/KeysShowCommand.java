package dev.semel.server.cli;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the record of a key, and on request its response. */
@Command(
        name = "show",
        description =
                "Shows the record of a key with its history; of the response only the size, unless --response asks for it."
                        + " Exits with 1 when there is no such record.")
final class KeysShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Option(names = "--json", description = "Print the record as one JSON object.")
    private boolean json;

    @Option(names = "--response", description = "Print the recorded response instead, as JSON. Needs --reason.")
    private boolean response;

    @Option(
            names = "--step",
            paramLabel = "NAME",
            description = "Print what an attempt recorded in this step instead, as JSON, while its outcome is unknown."
                    + " Needs --reason.")
    private @Nullable String step;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why you read the response or the step. It is stored in the record's history.")
    private @Nullable String reason;

    @Override
    public Integer call() {
        record.identity();
        if (response && step != null) {
            throw new ParameterException(spec.commandLine(), "give --response or --step, not both");
        }
        if ((response || step != null) && (reason == null || reason.isBlank())) {
            throw new ParameterException(
                    spec.commandLine(),
                    (response ? "--response" : "--step") + " needs --reason: the record's history keeps it");
        }
        if (!json && !response && step == null && !server.isGiven()) {
            return print();
        }
        PrintWriter out = spec.commandLine().getOut();
        try (AdminClient client = server.isGiven() ? server.open(store) : AdminClient.on(record.engine(store.open()))) {
            RemoteRecord remote = new RemoteRecord(client, record);
            if (response) {
                out.println(remote.response(String.valueOf(reason)));
            } else if (step != null) {
                out.println(remote.step(step, String.valueOf(reason)));
            } else if (json) {
                out.println(remote.get());
            } else {
                RemoteRecord.print(remote.get(), out);
            }
        }
        return ExitCode.OK;
    }

    private int print() {
        Store opened = store.open();
        try (SemelEngine semel = record.engine(opened)) {
            Optional<StoredRecord> found = record.find(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            PrintWriter out = spec.commandLine().getOut();
            if (!found.get().identity().equals(record.identity())) {
                out.printf(
                        "%-14s %s%n",
                        "key typed", Printable.text(record.identity().key().value()));
            }
            new RecordPage(out)
                    .print(
                            found.get(),
                            semel.unknownOutcomes().history(found.get().identity()));
            return ExitCode.OK;
        }
    }
}
