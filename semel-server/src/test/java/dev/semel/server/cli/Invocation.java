package dev.semel.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The output and the exit status of one run of the command line. */
public record Invocation(int status, String out, String err) {

    public static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                SemelCli.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = command.execute(arguments);
        return new Invocation(status, out.toString(), err.toString());
    }
}
