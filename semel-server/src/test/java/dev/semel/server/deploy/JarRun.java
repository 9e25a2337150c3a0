package dev.semel.server.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The output and the exit status of one run of semel.jar, with nothing else on its class path. */
public record JarRun(int status, String out, String err) {

    /** Built by the phase before the integration tests. */
    private static final Path BUILT = Path.of("target", "semel.jar");

    /** Copies the jar, so that it has the directory for itself. */
    public static void copyJarTo(Path directory) throws IOException {
        Files.copy(BUILT, directory.resolve("semel.jar"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Runs {@code java -jar semel.jar ARGUMENTS} in a directory that {@link #copyJarTo} has filled. */
    public static JarRun of(Path directory, String... arguments) throws IOException, InterruptedException {
        return of(
                directory,
                Stream.concat(Stream.of("java", "-jar", "semel.jar"), Stream.of(arguments))
                        .toList());
    }

    /** Runs a command that begins with {@code java}, by the Java of this test. */
    static JarRun of(Path directory, List<String> command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command);
        line.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path out = Files.createTempFile("semel", ".out");
        Path err = Files.createTempFile("semel", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            // Options that this machine gives to every Java would add a line to the output.
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("SEMEL_")
                            || List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH")
                                    .contains(name));
            int status = builder.start().waitFor();
            return new JarRun(
                    status,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
