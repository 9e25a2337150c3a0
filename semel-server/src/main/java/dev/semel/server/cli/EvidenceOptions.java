package dev.semel.server.cli;

import dev.semel.reconcile.Evidence;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a person's evidence: who decides, and why. */
final class EvidenceOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            required = true,
            description =
                    "Your evidence, such as a ticket or the provider's charge id. It is stored in the record's history.")
    private String reason = "";

    @Option(names = "--by", paramLabel = "NAME", description = "Who decides (default: the user of this machine).")
    private @Nullable String by;

    /** @throws ParameterException when it is incomplete */
    Evidence evidence() {
        String name = by == null ? System.getProperty("user.name") : by;
        if (name == null || name.isBlank()) {
            throw wrong("the name of the person who decides is missing: use --by NAME");
        }
        if (reason.isBlank()) {
            throw wrong("--reason is empty: give your evidence");
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
