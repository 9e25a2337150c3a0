package dev.semel.server.cli;

import dev.semel.StoreException;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Looks for settings that lose records, and says why they do.
 *
 * <p>Whether the store starts is always asked of the store itself, last, so that this command never knows better.
 */
@Command(
        name = "doctor",
        description = "Looks for settings of a store that lose records."
                + " Exits with 0 when it is safe, with 1 when it is not or cannot be reached.")
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Override
    public Integer call() {
        StoreUri uri = store.uri();
        List<Finding> findings = new ArrayList<>();
        if (uri instanceof StoreUri.Postgresql postgresql) {
            findings.addAll(PostgresCheckup.of(postgresql));
        } else if (uri instanceof StoreUri.Mysql mysql) {
            findings.addAll(MysqlCheckup.of(mysql));
        } else if (uri instanceof StoreUri.Sqlite sqlite) {
            findings.addAll(SqliteCheckup.of(sqlite));
        }
        findings.add(start(uri));

        PrintWriter out = spec.commandLine().getOut();
        out.println(uri);
        findings.forEach(finding -> out.println(finding.line()));
        boolean safe = findings.stream().allMatch(Finding::good);
        out.println(safe ? "Nothing here loses records." : "This store is not safe as it is.");
        return safe ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private static Finding start(StoreUri uri) {
        try {
            Stores.open(StoreOption.asItIs(uri, false)).close();
            return Finding.good("the store starts");
        } catch (StoreException e) {
            return Finding.bad("the store does not start: " + SemelCli.oneLine(e.getMessage()));
        }
    }
}
