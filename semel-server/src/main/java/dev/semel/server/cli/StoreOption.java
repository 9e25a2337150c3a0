package dev.semel.server.cli;

import dev.semel.jdbc.Stores;
import dev.semel.spi.Store;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The store that a command works on. There is no default: operating on the wrong one would go unnoticed. */
final class StoreOption {

    private static final String VARIABLE = "SEMEL_STORE";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "sqlite:PATH or postgresql://USER:PASSWORD@HOST/DATABASE; otherwise $" + VARIABLE)
    private @Nullable String uri;

    /** @throws ParameterException when no store is named, or its name means nothing */
    String uri() {
        String named = uri == null ? System.getenv(VARIABLE) : uri;
        if (named == null || named.isBlank()) {
            throw new ParameterException(
                    command.commandLine(), "which store? Name it with --store URI or in " + VARIABLE);
        }
        return named;
    }
}
