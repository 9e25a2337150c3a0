package dev.semel.server.cli;

import dev.semel.admin.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets a settled record expire now. */
@Command(
        name = "forget",
        description = {
            "Lets a settled record expire now: its response is deleted, and the next request with its key EXECUTES AGAIN.",
            "Exits with 1 when the record runs, is unknown, or has another fence."
        })
final class KeysForgetCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AdminTarget target = new AdminTarget();

    @Parameters(index = "0", paramLabel = "SCOPE", description = "The owner of the key, as lists print it.")
    private String scope = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The key as the client sent it, or as lists print it.")
    private String key = "";

    @Option(
            names = "--fence",
            paramLabel = "N",
            required = true,
            description = "The fence of the record, as 'keys show' prints it: refused when it has changed.")
    private long fence;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            required = true,
            description = "Why. It is stored in the record's history.")
    private String reason = "";

    @Override
    public Integer call() {
        try (AdminClient client = target.open()) {
            String unused = client.post(
                    "/records/forget",
                    Json.object()
                            .with("scope", scope)
                            .with("key", key)
                            .with("fence", fence)
                            .with("reason", reason));
        }
        spec.commandLine().getOut().println("Forgotten: the next request with this key executes the operation.");
        return ExitCode.OK;
    }
}
