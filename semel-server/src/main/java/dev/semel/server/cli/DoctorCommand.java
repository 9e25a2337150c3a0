package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.engine.NotCreatedException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Checks a store for settings that lose records.
 *
 * <p>The last check opens the store itself, so that this command and the store always agree whether it starts.
 */
@Command(
        name = "doctor",
        description = "Checks a store for settings that lose records."
                + " Exits with 0 when the store is safe or not created yet, with 1 when it is unsafe or does not start,"
                + " with 3 when it cannot be reached.")
final class DoctorCommand implements Callable<Integer> {

    /** Different from 1, since it says nothing about the settings. */
    private static final int UNREACHABLE = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Parameters(arity = "0..1", paramLabel = "URI", description = "The store's URI, instead of --store.")
    private @Nullable String uri;

    @Override
    public Integer call() {
        StoreLocation location = uri == null ? store.location() : store.locationOf(uri);
        List<CheckResult> results;
        try {
            results = new ArrayList<>(location.check());
        } catch (StoreException e) {
            spec.commandLine().getErr().println("semel: " + SemelCli.oneLine(e.getMessage()));
            return UNREACHABLE;
        }
        results.add(start(location));

        PrintWriter out = spec.commandLine().getOut();
        out.println(location);
        results.forEach(result -> out.println(result.line()));
        boolean safe = results.stream().noneMatch(CheckResult::isBad);
        out.println(safe ? summary(results) : "This store can lose records: change the settings marked UNSAFE.");
        return safe ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String summary(List<CheckResult> results) {
        boolean noted = results.stream().anyMatch(result -> result.level() == CheckResult.Level.NOTE);
        return noted ? "No setting is unsafe; see the notes above." : "No setting is unsafe.";
    }

    private static CheckResult start(StoreLocation location) {
        try {
            location.open(false).close();
            return CheckResult.good("the store starts");
        } catch (NotCreatedException e) {
            return CheckResult.note(SemelCli.oneLine(e.getMessage()));
        } catch (StoreException e) {
            return CheckResult.bad("the store does not start: " + SemelCli.oneLine(e.getMessage()));
        }
    }
}
