package dev.semel.server.cli;

import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists unknown outcomes with their keys, which a user with access to the store could read there as well. */
@Command(name = "list", description = "Lists unknown outcomes, sorted by scope and key.")
final class UnknownListCommand implements Callable<Integer> {

    private static final int MAX_LIMIT = 10_000;
    private static final int REMOTE_PAGE = 200;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--operation", paramLabel = "NAME", description = "Only outcomes of this operation.")
    private @Nullable String operation;

    @Option(
            names = "--dead",
            description = "Only dead letters: outcomes that the reconciler has given up, and that wait for a person.")
    private boolean dead;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "The maximum number to list (${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "Print one JSON object per line for each, and nothing else.")
    private boolean json;

    @Option(
            names = "--fail-if-any",
            description = "Exit with 1 when there is any, for jobs whose failure raises an alert.")
    private boolean failIfAny;

    @Override
    public Integer call() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit is " + limit + ", it must be between 1 and " + MAX_LIMIT);
        }
        if (server.isGiven()) {
            return listRemotely();
        }
        UnknownFilter filter = new UnknownFilter(operation, dead ? true : null, null);
        List<StoredRecord> found;
        try (Store opened = store.open()) {
            found = opened.listUnknown(filter, limit + 1);
        }
        List<StoredRecord> shown = found.subList(0, Math.min(limit, found.size()));
        if (json) {
            shown.forEach(record -> spec.commandLine().getOut().println(jsonOf(record)));
        } else {
            print(shown, found.size() > limit);
        }
        return failIfAny && !found.isEmpty() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    /** Lists oldest first, page by page. */
    private int listRemotely() {
        TextTable table = new TextTable("scope", "key", "operation", "unknown since", "tries", "reason");
        int found = 0;
        String cursor = null;
        try (AdminClient client = server.open(store)) {
            do {
                Json body = Json.object()
                        .with("operation", operation)
                        .with("deadLettered", dead ? true : null)
                        .with("limit", Math.min(REMOTE_PAGE, limit - found))
                        .with("cursor", cursor);
                JsonObject page = AdminClient.read(client.post("/unknown/search", body));
                for (JsonObject record : page.objects("records", REMOTE_PAGE)) {
                    found++;
                    showRemote(record, table);
                }
                cursor = page.text("nextCursor", 10_000);
            } while (cursor != null && found < limit);
        }
        if (!json) {
            table.print(spec.commandLine().getOut());
            spec.commandLine()
                    .getOut()
                    .println(found + " unknown outcomes" + (cursor == null ? "" : "; there are more"));
        }
        return failIfAny && found > 0 ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void showRemote(JsonObject record, TextTable table) {
        Long age = record.number("unknownForMs", 0, Long.MAX_VALUE);
        if (json) {
            spec.commandLine()
                    .getOut()
                    .println(new JsonLine()
                            .with("scope", record.text("scope", 1000))
                            .with("key", record.text("key", 1000))
                            .with("operation", record.text("operation", 1000))
                            .with("fence", record.number("fence", 0, Long.MAX_VALUE))
                            .with("unknown_since", record.text("unknownSince", 100))
                            .with("age_seconds", age == null ? null : age / 1000)
                            .with("tries", record.number("looks", 0, Long.MAX_VALUE))
                            .with("next_try_at", record.text("nextLookAt", 100))
                            .with("dead_lettered", record.flag("deadLettered"))
                            .with("reason", record.text("reason", 100_000)));
            return;
        }
        String reason = record.text("reason", 100_000);
        table.row(
                Printable.word(record.requiredText("scope", 1000)),
                Printable.word(record.requiredText("key", 1000)),
                Printable.text(record.requiredText("operation", 1000)),
                String.valueOf(record.text("unknownSince", 100)),
                String.valueOf(record.number("looks", 0, Long.MAX_VALUE)),
                reason == null ? "" : Printable.text(reason));
    }

    private void print(List<StoredRecord> records, boolean more) {
        PrintWriter out = spec.commandLine().getOut();
        if (records.isEmpty()) {
            out.println(dead ? "No dead letters." : "No unknown outcomes.");
            return;
        }
        TextTable table = new TextTable("scope", "key", "operation", "age", "tries", "next try", "reason");
        for (StoredRecord record : records) {
            table.row(
                    Printable.word(record.identity().scope().value()),
                    Printable.word(record.identity().key().value()),
                    Printable.text(record.operation()),
                    ShortDuration.text(record.unknownFor()),
                    Integer.toString(triesOf(record)),
                    RecordPage.nextTry(record),
                    record.reason() == null ? "" : Printable.text(record.reason()));
        }
        table.print(out);
        printOverdue(out, records);
        long deadLetters = records.stream().filter(StoredRecord::isDeadLettered).count();
        out.printf(
                "%d unknown %s, %d dead-lettered%s%n",
                records.size(),
                records.size() == 1 ? "outcome" : "outcomes",
                deadLetters,
                more ? "; there are more, use --limit N" : "");
    }

    /** Reports overdue tries: the resolvers run in the application, so this is how a missing one shows here. */
    private static void printOverdue(PrintWriter out, List<StoredRecord> records) {
        Map<String, Long> overdue = records.stream()
                .filter(RecordPage::isOverdue)
                .collect(Collectors.groupingBy(StoredRecord::operation, TreeMap::new, Collectors.counting()));
        overdue.forEach((operation, count) -> out.printf(
                "%s: %d overdue: no resolver is configured for this operation, or its reconciler does not run%n",
                Printable.text(operation), count));
    }

    private static int triesOf(StoredRecord record) {
        Reconciling reconciling = record.reconciling();
        return reconciling == null ? 0 : reconciling.tries();
    }

    private static JsonLine jsonOf(StoredRecord record) {
        Reconciling reconciling = record.reconciling();
        return new JsonLine()
                .with("scope", record.identity().scope().value())
                .with("key", record.identity().key().value())
                .with("operation", record.operation())
                .with("fence", record.fence())
                .with("unknown_since", reconciling == null ? null : reconciling.since())
                .with("age_seconds", record.unknownFor().toSeconds())
                .with("tries", triesOf(record))
                .with("next_try_at", reconciling == null ? null : reconciling.nextTryAt())
                .with("dead_lettered", record.isDeadLettered())
                .with("reason", record.reason())
                .with("request", record.request());
    }
}
