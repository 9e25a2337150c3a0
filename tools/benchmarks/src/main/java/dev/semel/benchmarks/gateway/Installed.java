package dev.semel.benchmarks.gateway;

import java.io.IOException;
import java.util.List;

/** Which programs this machine has. */
final class Installed {

    private Installed() {}

    /** Whether a program can be started. */
    static boolean answers(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.waitFor();
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
