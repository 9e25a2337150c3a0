package dev.semel.server.cli;

import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists records, those claimed last first. */
@Command(
        name = "list",
        description =
                "Lists records, those claimed last first. Exits with 4 when the search stopped at its limit before it had"
                        + " looked at all that could fit.")
final class KeysListCommand implements Callable<Integer> {

    /** Different from 1: what was found is right, but there may be more. */
    static final int INCOMPLETE = 4;

    private static final int PAGE = 200;
    private static final int MAX_LIMIT = 10_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AdminTarget target = new AdminTarget();

    @Option(names = "--scope", paramLabel = "SCOPE", description = "Only records of this owner.")
    private @Nullable String scope;

    @Option(names = "--operation", paramLabel = "NAME", description = "Only records of this operation.")
    private @Nullable String operation;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description =
                    "Only records in one of these states: in_progress, completed, failed_retryable, unknown, expired.")
    private List<String> states = List.of();

    @Option(names = "--key", paramLabel = "KEY", description = "Only records of this key, in any scope.")
    private @Nullable String key;

    @Option(
            names = "--key-prefix",
            paramLabel = "TEXT",
            description = "Only records whose stored keys begin like this.")
    private @Nullable String keyPrefix;

    @Option(names = "--dead", description = "Only dead letters, which wait for a person.")
    private boolean dead;

    @Option(
            names = "--older-than",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Only records that were claimed longer ago, such as 90m, 24h or 7d.")
    private @Nullable Duration olderThan;

    @Option(
            names = "--younger-than",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Only records that were claimed since, such as 90m, 24h or 7d.")
    private @Nullable Duration youngerThan;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "The maximum number to list (${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "Print one JSON object per line for each, and nothing else.")
    private boolean json;

    @Override
    public Integer call() {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(
                    spec.commandLine(), "--limit is " + limit + ", it must be between 1 and " + MAX_LIMIT);
        }
        TextTable table = new TextTable("claimed", "scope", "key", "operation", "state", "fence", "attempt");
        PrintWriter out = spec.commandLine().getOut();
        int found = 0;
        long examined = 0;
        boolean complete = true;
        String cursor = null;
        try (AdminClient client = target.open()) {
            do {
                JsonObject page = AdminClient.read(client.post("/records/search", body(cursor, limit - found)));
                List<JsonObject> records = page.objects("records", PAGE);
                found += records.size();
                records.forEach(record -> show(record, table, out));
                cursor = page.text("nextCursor", 10_000);
                complete = page.requiredFlag("complete");
                JsonObject cost = page.object("cost");
                examined += cost == null ? 0 : cost.requiredNumber("examined", 0, Long.MAX_VALUE);
            } while (cursor != null && complete && found < limit);
        }
        if (!json) {
            table.print(out);
            out.println(found + (found == 1 ? " record" : " records") + ", " + examined + " looked at"
                    + (!complete ? "; the search stopped there, narrow it" : cursor != null ? "; there are more" : ""));
        }
        return complete ? ExitCode.OK : INCOMPLETE;
    }

    private Json body(@Nullable String cursor, int missing) {
        return Json.object()
                .with("scope", scope)
                .with("operation", operation)
                .with("states", states)
                .with("key", key)
                .with("keyPrefix", keyPrefix)
                .with("deadLettered", dead ? true : null)
                .with("olderThanMs", olderThan)
                .with("youngerThanMs", youngerThan)
                .with("limit", Math.min(PAGE, missing))
                .with("cursor", cursor);
    }

    private void show(JsonObject record, TextTable table, PrintWriter out) {
        if (json) {
            out.println(new JsonLine()
                    .with("scope", record.text("scope", 1000))
                    .with("key", record.text("key", 1000))
                    .with("operation", record.text("operation", 1000))
                    .with("state", record.text("state", 100))
                    .with("dead_lettered", record.flag("deadLettered"))
                    .with("reason", record.text("reason", 100_000))
                    .with("fence", record.number("fence", 0, Long.MAX_VALUE))
                    .with("attempt", record.number("attempt", 0, Long.MAX_VALUE))
                    .with("created_at", record.text("createdAt", 100))
                    .with("claimed_at", record.text("claimedAt", 100))
                    .with("updated_at", record.text("updatedAt", 100))
                    .with("expires_at", record.text("expiresAt", 100)));
            return;
        }
        boolean isDead = Boolean.TRUE.equals(record.flag("deadLettered"));
        table.row(
                String.valueOf(record.text("claimedAt", 100)),
                Printable.word(record.requiredText("scope", 1000)),
                Printable.word(record.requiredText("key", 1000)),
                Printable.text(record.requiredText("operation", 1000)),
                record.text("state", 100) + (isDead ? " DEAD" : ""),
                String.valueOf(record.number("fence", 0, Long.MAX_VALUE)),
                String.valueOf(record.number("attempt", 0, Long.MAX_VALUE)));
    }
}
