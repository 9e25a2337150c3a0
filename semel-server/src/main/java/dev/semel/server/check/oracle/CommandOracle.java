package dev.semel.server.check.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Counts with a command of the shell that prints a number. */
public final class CommandOracle implements EffectOracle {

    private static final int LONGEST_SECONDS = 30;

    private final String command;

    public CommandOracle(String command) {
        this.command = command;
    }

    @Override
    public long count() {
        try {
            Process process = new ProcessBuilder("sh", "-c", command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new OracleException("the command that counts effects took longer than " + LONGEST_SECONDS + " s");
            }
            if (process.exitValue() != 0 || !out.matches("[0-9]{1,18}")) {
                throw new OracleException(
                        "the command that counts effects must print a number; it exited with " + process.exitValue()
                                + " and printed '" + out.lines().findFirst().orElse("") + "'");
            }
            return Long.parseLong(out);
        } catch (IOException e) {
            throw new OracleException("the command that counts effects cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OracleException("the check was interrupted", e);
        }
    }

    @Override
    public String description() {
        return command;
    }

    @Override
    public String command() {
        return command;
    }
}
