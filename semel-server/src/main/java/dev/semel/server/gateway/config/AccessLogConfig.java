package dev.semel.server.gateway.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a line about each request is written. */
public sealed interface AccessLogConfig {

    /** Nothing is written. */
    record Off() implements AccessLogConfig {}

    /** Lines go to the standard output. */
    record StandardOutput() implements AccessLogConfig {}

    /** Lines are appended to a file, which is opened anew when it was moved away. */
    record ToFile(Path file) implements AccessLogConfig {}

    /**
     * Understands {@code off}, {@code stdout}, or the name of a file.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    static AccessLogConfig parse(String text) {
        if (text.equals("off")) {
            return new Off();
        }
        if (text.equals("stdout")) {
            return new StandardOutput();
        }
        try {
            if (!text.isBlank()) {
                return new ToFile(Path.of(text));
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "the access log '" + text + "' is no file: use off, stdout or a file", e);
        }
        throw new IllegalArgumentException("the access log has no name: use off, stdout or a file");
    }
}
