package dev.semel.server.cli;

import dev.semel.jdbc.JdbcSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the tables of a database, for review and for installation by hand. */
@Command(name = "schema", description = "Prints the SQL that creates the tables of a store.")
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIALECT", description = "postgresql, mysql (for MariaDB too) or sqlite")
    private String dialect = "";

    @Override
    public void run() {
        try {
            spec.commandLine().getOut().println(JdbcSchema.ddl(dialect).stripTrailing());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
