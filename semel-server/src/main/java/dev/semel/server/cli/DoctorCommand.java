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
 * Looks for settings that lose records, and says why they do.
 *
 * <p>Whether the store starts is always asked of the store itself, last, so that this command never knows better.
 */
@Command(
        name = "doctor",
        description = "Looks for settings of a store that lose records."
                + " Exits with 0 when it is safe or not created yet, with 1 when it is unsafe or does not start,"
                + " with 3 when it cannot be reached.")
final class DoctorCommand implements Callable<Integer> {

    /** Unlike 1, this says nothing about the settings. */
    private static final int UNREACHABLE = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Parameters(arity = "0..1", paramLabel = "URI", description = "The store, as after --store.")
    private @Nullable String uri;

    @Override
    public Integer call() {
        Place place = uri == null ? store.place() : store.placeOf(uri);
        List<Finding> findings;
        try {
            findings = new ArrayList<>(place.checkup());
        } catch (StoreException e) {
            spec.commandLine().getErr().println("semel: " + SemelCli.oneLine(e.getMessage()));
            return UNREACHABLE;
        }
        findings.add(start(place));

        PrintWriter out = spec.commandLine().getOut();
        out.println(place);
        findings.forEach(finding -> out.println(finding.line()));
        boolean safe = findings.stream().noneMatch(Finding::isBad);
        out.println(safe ? verdict(findings) : "This store is not safe as it is.");
        return safe ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static String verdict(List<Finding> findings) {
        boolean noted = findings.stream().anyMatch(finding -> finding.verdict() == Finding.Verdict.NOTE);
        return "Nothing here loses records" + (noted ? ", apart from what is noted." : ".");
    }

    private static Finding start(Place place) {
        try {
            place.open(false).close();
            return Finding.good("the store starts");
        } catch (NotCreatedException e) {
            return Finding.note(SemelCli.oneLine(e.getMessage()));
        } catch (StoreException e) {
            return Finding.bad("the store does not start: " + SemelCli.oneLine(e.getMessage()));
        }
    }
}
