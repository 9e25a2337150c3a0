package dev.semel.server.cli;

import dev.semel.redis.RedisDefect;
import dev.semel.redis.RedisRepair;
import dev.semel.redis.RedisRepairReport;
import dev.semel.redis.RedisUri;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks for records in Redis that somebody has broken past the store, and mends them. */
@Command(
        name = "repair",
        description =
                "Looks at every record in Redis for a TTL that is missing or must not be there, and for an index that"
                        + " lacks it, beside the traffic. Exits with 1 when something was wrong, mended or not.")
final class RepairCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--fix", description = "Mend what is wrong. No record changes, and none ends sooner.")
    private boolean fix;

    @Override
    public Integer call() {
        RedisUri uri = store.redis();
        RedisRepairReport report = fix ? RedisRepair.mend(uri) : RedisRepair.look(uri);
        print(report);
        return report.isClean() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(RedisRepairReport report) {
        PrintWriter out = spec.commandLine().getOut();
        report.counts().forEach((defect, count) -> {
            out.printf("%6d  %s%s%n", count, defect.meaning(), fix && defect.mendable() ? " (mended)" : "");
            List<String> examples = report.examples().getOrDefault(defect, List.of());
            examples.forEach(example -> out.println("          " + Printable.text(example)));
            if (count > examples.size()) {
                out.println("          …");
            }
        });
        out.println("Looked at " + report.looked() + (report.looked() == 1 ? " key: " : " keys: ") + verdict(report));
    }

    private String verdict(RedisRepairReport report) {
        if (report.isClean()) {
            return "nothing is wrong.";
        }
        boolean unmendable = report.counts().keySet().stream().anyMatch(defect -> !defect.mendable());
        boolean mendable = report.counts().keySet().stream().anyMatch(RedisDefect::mendable);
        if (fix) {
            return unmendable ? "what cannot be mended needs a person." : "all of it is mended.";
        }
        return mendable ? "mend it with --fix." : "it cannot be mended, and needs a person.";
    }
}
