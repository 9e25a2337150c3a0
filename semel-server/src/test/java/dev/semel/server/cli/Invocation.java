package dev.semel.server.cli;

import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The output and the exit status of one run of the command line. */
public record Invocation(int status, String out, String err) {

    public static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = SemelCli.commandLine().setOut(buffered(out)).setErr(buffered(err));
        int status = command.execute(arguments);
        return new Invocation(status, out.toString(), err.toString());
    }

    /** Like the streams of a process: what is not flushed when the command ends is lost. */
    private static PrintWriter buffered(StringWriter text) {
        return new PrintWriter(new BufferedWriter(text), true);
    }
}
