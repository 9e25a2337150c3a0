package dev.semel.server.cli;

import dev.semel.admin.json.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists misused keys. */
@Command(
        name = "misuse",
        description =
                "Lists keys that clients used again with another request, as the process of --server has seen them since"
                        + " its start. A store alone does not record them. Exits with 1 when they are not available.")
final class MisuseCommand implements Callable<Integer> {

    private static final int MOST = 1000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AdminTarget target = new AdminTarget();

    @Option(names = "--json", description = "Print one JSON object per line for each, and nothing else.")
    private boolean json;

    @Override
    public Integer call() {
        JsonObject answer;
        try (AdminClient client = target.open()) {
            answer = AdminClient.read(client.get("/misuse"));
        }
        if (!answer.requiredFlag("available")) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "semel: misused keys are known to the process that refused them: give --server of a gateway or"
                                    + " an application with a console");
            return ExitCode.SOFTWARE;
        }
        print(answer.objects("misuses", MOST));
        return ExitCode.OK;
    }

    private void print(List<JsonObject> misuses) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            misuses.forEach(misuse -> out.println(new JsonLine()
                    .with("scope", misuse.text("scope", 1000))
                    .with("operation", misuse.text("operation", 1000))
                    .with("key_in_logs", misuse.text("keyDigest", 100))
                    .with("count", misuse.number("count", 0, Long.MAX_VALUE))
                    .with("first", misuse.text("first", 100))
                    .with("last", misuse.text("last", 100))));
            return;
        }
        if (misuses.isEmpty()) {
            out.println("No misused keys.");
            return;
        }
        TextTable table = new TextTable("last", "first", "count", "scope", "operation", "key in logs");
        misuses.forEach(misuse -> table.row(
                String.valueOf(misuse.text("last", 100)),
                String.valueOf(misuse.text("first", 100)),
                String.valueOf(misuse.number("count", 0, Long.MAX_VALUE)),
                Printable.word(misuse.requiredText("scope", 1000)),
                Printable.text(misuse.requiredText("operation", 1000)),
                String.valueOf(misuse.text("keyDigest", 100))));
        table.print(out);
    }
}
