package dev.semel.server.cli;

import dev.semel.redis.doctor.RedisDefect;
import dev.semel.redis.doctor.RedisRepair;
import dev.semel.redis.doctor.RedisRepairReport;
import dev.semel.redis.uri.RedisUri;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds keys of a store in Redis that other programs have damaged, and repairs them. */
@Command(
        name = "repair",
        description =
                "Checks every key of a store in Redis for a wrong TTL and for records that are missing from an index,"
                        + " while the store is in use. Exits with 1 when a defect was found, repaired or not.")
final class RepairCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--fix", description = "Repair defects. No record is changed, and no TTL is shortened.")
    private boolean fix;

    @Override
    public Integer call() {
        RedisUri uri = store.redis();
        RedisRepairReport report = fix ? RedisRepair.repair(uri) : RedisRepair.inspect(uri);
        print(report);
        return report.isClean() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(RedisRepairReport report) {
        PrintWriter out = spec.commandLine().getOut();
        report.counts().forEach((defect, count) -> {
            out.printf("%6d  %s%s%n", count, defect.meaning(), fix && defect.isRepairable() ? " (repaired)" : "");
            List<String> examples = report.examples().getOrDefault(defect, List.of());
            examples.forEach(example -> out.println("          " + Printable.text(example)));
            if (count > examples.size()) {
                out.println("          …");
            }
        });
        out.println(
                "Inspected " + report.inspected() + (report.inspected() == 1 ? " key: " : " keys: ") + summary(report));
    }

    private String summary(RedisRepairReport report) {
        if (report.isClean()) {
            return "no defects.";
        }
        boolean repairable = report.counts().keySet().stream().anyMatch(RedisDefect::isRepairable);
        boolean unrepairable = report.counts().keySet().stream().anyMatch(defect -> !defect.isRepairable());
        if (fix) {
            return unrepairable ? "unreadable keys are left: examine them." : "all defects are repaired.";
        }
        return repairable ? "repair them with --fix." : "--fix cannot repair them: examine the keys.";
    }
}
