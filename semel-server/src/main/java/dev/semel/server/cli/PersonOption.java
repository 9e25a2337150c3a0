package dev.semel.server.cli;

import dev.semel.reconcile.Evidence;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Who decides, and why: what is kept as evidence. */
final class PersonOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            required = true,
            description =
                    "What you saw, such as a ticket or the provider's charge id. It is kept in the record's history.")
    private String reason = "";

    @Option(names = "--by", paramLabel = "NAME", description = "Who decides (otherwise the user of this machine).")
    private @Nullable String by;

    /** @throws ParameterException when it says nothing */
    Evidence evidence() {
        String name = by == null ? System.getProperty("user.name") : by;
        if (name == null || name.isBlank()) {
            throw wrong("who decides? Say it with --by NAME");
        }
        if (reason.isBlank()) {
            throw wrong("--reason is empty: say what you saw");
        }
        try {
            return new Evidence("person:" + name.strip(), reason.strip());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private ParameterException wrong(@Nullable String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
