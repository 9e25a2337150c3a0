package dev.semel.server.cli;

import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.spi.Store;
import dev.semel.spi.StoredRecord;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a store knows about a key: everything but the response that was recorded. */
@Command(
        name = "show",
        description = "Shows the record of a key; of its response only the size. Exits with 1 when there is none.")
final class KeysShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Parameters(paramLabel = "SCOPE", description = "Whom the key belongs to, such as an account.")
    private String scope = "";

    @Parameters(paramLabel = "KEY", description = "The key as the client sent it.")
    private String key = "";

    @Override
    public Integer call() {
        Identity identity = identity();
        Optional<StoredRecord> found;
        try (Store opened = store.open()) {
            found = Await.answer(opened.find(identity));
        }
        if (found.isEmpty()) {
            spec.commandLine().getErr().println("semel: scope " + scope + " has no record of this key");
            return ExitCode.SOFTWARE;
        }
        print(found.get());
        return ExitCode.OK;
    }

    private Identity identity() {
        try {
            return Identity.of(scope, key);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void print(StoredRecord record) {
        StoredRecord.Times times = record.times();
        line("scope", record.identity().scope());
        line("key", record.identity().key().redacted());
        line("operation", record.operation());
        line("state", record.state().label());
        line("reason", record.reason());
        line("fence", record.fence());
        line("attempts", record.attempts());
        line("holder", record.holder());
        line("re-executable", record.reexecutable() ? "yes" : "no");
        line("created", times.createdAt());
        line("updated", times.updatedAt());
        line("locked until", times.lockedUntil());
        line("expires", times.expiresAt());
        line("as of", times.asOf());
        line("response", record.response() == null ? null : record.response().size() + " bytes stored");
        Evidence evidence = record.evidence();
        line("evidence", evidence == null ? null : evidence.source() + ": " + evidence.detail());
    }

    private void line(String name, @Nullable Object value) {
        PrintWriter out = spec.commandLine().getOut();
        if (value != null) {
            out.printf("%-14s %s%n", name, value);
        }
    }
}
