package dev.semel.server.cli;

import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownFilter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists unknown outcomes, with their keys: whoever may name the store may read them there. */
@Command(name = "list", description = "Lists unknown outcomes, in the order of their scopes and keys.")
final class UnknownListCommand implements Runnable {

    private static final int MOST = 10_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--operation", paramLabel = "NAME", description = "Only those of this operation.")
    private @Nullable String operation;

    @Option(names = "--dead", description = "Only those that wait for a person.")
    private boolean dead;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many (${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "A JSON object on a line of its own for each, and nothing else.")
    private boolean json;

    @Override
    public void run() {
        if (limit < 1 || limit > MOST) {
            throw new ParameterException(
                    spec.commandLine(), "--limit is " + limit + ", it must be between 1 and " + MOST);
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
    }

    private void print(List<StoredRecord> records, boolean more) {
        PrintWriter out = spec.commandLine().getOut();
        if (records.isEmpty()) {
            out.println(dead ? "No dead letters." : "No unknown outcomes.");
            return;
        }
        Table table = new Table("scope", "key", "operation", "age", "tries", "next try", "reason");
        for (StoredRecord record : records) {
            table.row(
                    Printable.word(record.identity().scope().value()),
                    Printable.word(record.identity().key().value()),
                    Printable.text(record.operation()),
                    Ago.text(record.unknownFor()),
                    Integer.toString(triesOf(record)),
                    RecordPage.nextTry(record),
                    record.reason() == null ? "" : Printable.text(record.reason()));
        }
        table.print(out);
        printUnasked(out, records);
        long deadLetters = records.stream().filter(StoredRecord::isDeadLettered).count();
        out.printf(
                "%d unknown %s, %d dead-lettered%s%n",
                records.size(),
                records.size() == 1 ? "outcome" : "outcomes",
                deadLetters,
                more ? "; there are more: --limit N" : "");
    }

    /** The resolvers are in the application's processes; that none was asked for so long shows here. */
    private static void printUnasked(PrintWriter out, List<StoredRecord> records) {
        Map<String, Long> unasked = records.stream()
                .filter(RecordPage::isOverdue)
                .collect(Collectors.groupingBy(StoredRecord::operation, TreeMap::new, Collectors.counting()));
        unasked.forEach((operation, count) -> out.printf(
                "%s: nothing asks about %d of these: no resolver is configured for it, or its reconciler does not run%n",
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
