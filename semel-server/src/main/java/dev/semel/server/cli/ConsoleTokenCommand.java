package dev.semel.server.cli;

import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a token for a person. */
@Command(
        name = "token",
        description =
                "Makes a token, and prints the line for the file of --tokens to standard output and the token to the"
                        + " error output: 'semel console token --name alice --role operator >> tokens'.")
final class ConsoleTokenCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--name", paramLabel = "NAME", required = true, description = "Whose token it is.")
    private String name = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            description = "viewer looks, operator settles, administrator also forgets and prunes.")
    private String role = "";

    @Override
    public Integer call() {
        TokenFile.Made made;
        try {
            made = TokenFile.make(name, Role.ofLabel(role));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        spec.commandLine().getOut().println(made.line());
        PrintWriter err = spec.commandLine().getErr();
        err.println("The token of " + name + ", which is shown only now: " + made.token());
        return ExitCode.OK;
    }
}
