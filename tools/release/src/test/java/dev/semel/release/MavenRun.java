package dev.semel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A build by Maven with a local repository that held nothing but the published artifacts at first.
 *
 * <p>The builds of all tests share it, so that each library is copied there once. It is deleted when the tests have ended.
 */
final class MavenRun {

    private static final Path LOCAL_REPOSITORY = newLocalRepository();

    /** Short programs start faster without the optimizing compiler. */
    static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path output;

    /** @param folder where the output is kept */
    MavenRun(Path folder) {
        output = folder.resolve("output.txt");
    }

    private static Path newLocalRepository() {
        try {
            Path repository = Files.createTempDirectory("semel-release");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(repository)));
            Published.copyTo(repository);
            return repository;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs Maven; a failed build fails the test, with what Maven printed. */
    void run(Path project, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + LOCAL_REPOSITORY));
        // Kotlin's daemon would outlive the test.
        command.add("-Dkotlin.compiler.daemon=false");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Those of the build that runs this test may name its local repository.
        builder.environment().put("MAVEN_OPTS", String.join(" ", QUICK_START));
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor()).as(Files.readString(output)).isZero();
        } finally {
            maven.destroyForcibly();
        }
    }
}
