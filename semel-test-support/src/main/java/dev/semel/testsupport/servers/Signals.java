package dev.semel.testsupport.servers;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java itself cannot send. */
public final class Signals {

    private Signals() {}

    /** Stops a process with SIGSTOP: its connections stay open, and it answers nothing. */
    public static void pause(ProcessHandle process) {
        send("STOP", process);
    }

    /** Lets a paused process continue. */
    public static void resume(ProcessHandle process) {
        send("CONT", process);
    }

    /** A process that has ended is no error. */
    private static void send(String signal, ProcessHandle process) {
        try {
            // The shell's own kill: a program of that name need not be installed.
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
