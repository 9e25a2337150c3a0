package dev.semel.server.cli;

import dev.semel.server.check.Checker;
import dev.semel.server.check.RunResult;
import dev.semel.server.check.TargetResult;
import dev.semel.server.check.oracle.EffectOracle;
import dev.semel.server.check.report.JsonReport;
import dev.semel.server.check.rules.Rule;
import dev.semel.server.check.rules.RuleInfo;
import dev.semel.server.check.rules.Rules;
import dev.semel.server.check.subject.CheckFile;
import dev.semel.server.check.wire.Budget;
import dev.semel.server.check.wire.CheckTime;
import dev.semel.server.check.wire.WireClient;
import dev.semel.server.check.wire.WireOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tests whether an API is safe to retry. */
@Command(
        name = "check",
        description =
                "Tests whether any HTTP API is safe to retry, by its answers and by an effect that you have counted."
                        + " Takes curl's options: paste a command behind 'check'. Exits with 0 when all that must hold"
                        + " does, with 1 when something is broken, with 2 when the command line is wrong, with 3 when it"
                        + " could not be told.")
final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private CheckOptions options = new CheckOptions();

    @Mixin
    private ReportOptions reports = new ReportOptions();

    @Option(names = "--yes", description = "Send the requests without asking.")
    private boolean yes;

    @Option(names = "--dry-run", description = "Say what would be sent, and send nothing.")
    private boolean dryRun;

    @Option(names = "--i-may-test-this-host", description = "Test a host other than this machine.")
    private boolean allowed;

    @Option(names = "--rules", description = "List all rules.")
    private boolean list;

    @Option(names = "--schema", description = "Print the JSON Schema of --json-report.")
    private boolean schema;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (schema) {
            out.print(JsonReport.schema());
            return ExitCode.OK;
        }
        if (list) {
            Rules.all().forEach(rule -> out.println(line(rule.info())));
            return ExitCode.OK;
        }
        CheckOptions.Plan plan = plan();
        plan.operations().forEach(each -> requireAllowed(each));
        announce(plan, out);
        if (dryRun) {
            plan.rules()
                    .forEach(rule -> out.println(String.format(
                            "  %-25s about %2d requests: %s",
                            rule.info().id(),
                            rule.requests(plan.settings().concurrency()),
                            rule.info().title())));
            return ExitCode.OK;
        }
        if (!yes && !confirmed(out)) {
            throw new ParameterException(spec.commandLine(), "nothing was sent; --yes sends without asking");
        }
        RunResult run = run(plan);
        try {
            reports.write(run, out, new SemelCli.Version().getVersion()[0].replace("semel ", ""));
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(), "a report cannot be written: " + e.getMessage() + "; choose another file", e);
        }
        return run.exitCode();
    }

    private static String line(RuleInfo rule) {
        return String.format(
                "%-25s %-7s %s (%s)",
                rule.id(), rule.level(), rule.title(), rule.source().text());
    }

    private CheckOptions.Plan plan() {
        try {
            reports.check();
            return options.plan();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void requireAllowed(CheckFile.Checked operation) {
        String host = operation.target().sample().getHost();
        try {
            boolean here = Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
            if (!here && !allowed) {
                throw new ParameterException(
                        spec.commandLine(),
                        host + " is another machine; test it only if you may, and say so with --i-may-test-this-host");
            }
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "the host " + host + " is not known");
        }
    }

    private void announce(CheckOptions.Plan plan, PrintWriter out) {
        for (CheckFile.Checked each : plan.operations()) {
            EffectOracle oracle = each.oracle();
            out.println(each.target().method() + " " + each.target().url());
            out.println("  " + plan.rules().size() + " rules; effects: "
                    + (oracle == null ? "not counted (answers only)" : oracle.description()));
        }
        out.println("About " + plan.requests() + " requests, never more than " + options.budget()
                + "; most of them execute the operation.");
        out.flush();
    }

    private static boolean confirmed(PrintWriter out) throws IOException {
        out.print("Send them? [y/N] ");
        out.flush();
        String line = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return line != null && line.strip().matches("(?i)y|yes");
    }

    private RunResult run(CheckOptions.Plan plan) {
        CheckTime time = new CheckTime();
        Budget budget = new Budget(options.budget(), options.interval(), time);
        List<Rule> rules = plan.rules();
        List<TargetResult> results = new ArrayList<>();
        WireOptions wire = new WireOptions(options.timeout(), plan.insecure(), allowed);
        try (WireClient client = new WireClient(budget, time, wire)) {
            Checker checker = new Checker(plan.settings(), rules, client);
            for (CheckFile.Checked each : plan.operations()) {
                results.add(checker.check(each.target(), each.oracle()));
            }
        }
        Duration elapsed = time.now();
        return new RunResult(results, plan.settings(), reports.strict(), budget.used(), elapsed);
    }
}
