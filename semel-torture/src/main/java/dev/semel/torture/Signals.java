package dev.semel.torture;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java itself cannot send. */
final class Signals {

    private Signals() {}

    /** Sends a signal, such as {@code STOP}; a process that is gone does not mind. */
    static void send(String signal, long pid) {
        try {
            // The shell's own kill: a program of that name need not be installed.
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
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
