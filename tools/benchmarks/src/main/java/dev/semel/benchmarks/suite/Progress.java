package dev.semel.benchmarks.suite;

import java.io.PrintWriter;

/** Shows how far a run is: one line that changes on a terminal, plain lines elsewhere. */
public final class Progress {

    /** Clears the line that the cursor is in, for what is shorter than its predecessor. */
    private static final String CLEAR = "\r\u001b[K";

    /** A line that wraps cannot be taken back. */
    private static final int WIDTH = 100;

    private final PrintWriter out;
    private final boolean terminal;

    public Progress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** What is being done right now; only a terminal shows it. */
    public void status(String text) {
        if (terminal) {
            out.print(CLEAR + (text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text));
            out.flush();
        }
    }

    /** Something that is worth a line of its own. */
    public void line(String text) {
        out.println((terminal ? CLEAR : "") + text);
        out.flush();
    }

    /** Leaves the terminal's line empty for what comes next. */
    public void clear() {
        if (terminal) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
