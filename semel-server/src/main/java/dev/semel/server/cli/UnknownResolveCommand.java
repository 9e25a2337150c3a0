package dev.semel.server.cli;

import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.time.Duration;
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

/** Settles an unknown outcome on a person's evidence. */
@Command(
        name = "resolve",
        description = {
            "Settles an unknown outcome on your evidence. Exits with 1 when the record is not unknown.",
            "--completed is for operations behind the HTTP layer: it records the response that retries get."
        })
final class UnknownResolveCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private RecordArguments record = new RecordArguments();

    @Option(names = "--completed", description = "The operation happened. Retries get the response that you give.")
    private boolean completed;

    @Option(
            names = "--not-executed",
            description = "The operation did not happen and cannot happen any more. The next request executes it.")
    private boolean notExecuted;

    @Option(
            names = "--fence",
            paramLabel = "N",
            description = "The attempt to settle, as 'unknown show' prints it."
                    + " Refused when there has been another attempt since.")
    private @Nullable Long fence;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            defaultValue = "30d",
            converter = DurationConverter.class,
            description =
                    "How long to keep the settled record, such as 90m, 24h or 7d (${DEFAULT-VALUE}). Longer than the"
                            + " operation's retention does no harm; shorter, and a late retry executes again.")
    private Duration retention = Duration.ZERO;

    @Mixin
    private ResponseOptions response = new ResponseOptions();

    @Mixin
    private EvidenceOptions evidenceOptions = new EvidenceOptions();

    @Override
    public Integer call() {
        Evidence evidence = evidenceOptions.evidence();
        Verdict.Final verdict = verdict(evidence.detail());
        record.identity();
        if (server.isGiven()) {
            return resolveRemotely(verdict, evidence.detail());
        }
        Store opened = store.open();
        try (SemelEngine semel = record.engine(opened)) {
            Optional<StoredRecord> found = record.findUnknown(semel, opened);
            if (found.isEmpty()) {
                return ExitCode.SOFTWARE;
            }
            StoredRecord unknown = found.get();
            if (fence != null && fence != unknown.fence()) {
                return refuse("the attempt with fence " + fence + " is not the last one, which has fence "
                        + unknown.fence() + ": check 'unknown show' again");
            }
            if (verdict instanceof Verdict.DidNotHappen) {
                warn(unknown);
            }
            Reconciliation answer =
                    semel.unknownOutcomes().settle(unknown.lease(), retention, verdict, evidence.source());
            if (!(answer instanceof Reconciliation.Accepted)) {
                return refuse("another person or process has just settled it; nothing was changed");
            }
            spec.commandLine()
                    .getOut()
                    .println(
                            completed
                                    ? "Settled as completed: retries get this response."
                                    : "Settled as not executed: the next request with this key executes the operation.");
            return ExitCode.OK;
        }
    }

    /** The console knows the retention of its operations, and who the caller is. */
    private int resolveRemotely(Verdict.Final verdict, String reason) {
        boolean settled;
        try (AdminClient client = server.open(store)) {
            settled = new RemoteRecord(client, record).settle(verdict, fence, reason);
        }
        spec.commandLine()
                .getOut()
                .println(
                        settled
                                ? "Settled."
                                : "Proposed: a second person has to settle it in the same way before it takes effect.");
        return ExitCode.OK;
    }

    private Verdict.Final verdict(String detail) {
        if (completed == notExecuted) {
            throw wrong("give either --completed or --not-executed");
        }
        if (completed) {
            return new Verdict.Happened(response.response(), detail);
        }
        if (!response.isEmpty()) {
            throw wrong("--not-executed records no response: leave --status, --header and --body out");
        }
        return new Verdict.DidNotHappen(detail);
    }

    private void warn(StoredRecord unknown) {
        spec.commandLine()
                .getErr()
                .println("semel: warning: the next request with this key executes the operation. If the attempt of "
                        + ShortDuration.text(Duration.between(
                                unknown.times().claimedAt(), unknown.times().asOf()))
                        + " ago had its effect, or still can have it, that is a duplicate");
    }

    private int refuse(String why) {
        spec.commandLine().getErr().println("semel: " + why);
        return ExitCode.SOFTWARE;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
