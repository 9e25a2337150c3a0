package dev.semel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A build by Maven with a local repository of its own. */
final class MavenRun {

    private final Path folder;

    /** @param folder where the local repository and the output are kept */
    MavenRun(Path folder) {
        this.folder = folder;
    }

    Path localRepository() {
        return folder.resolve("local-repository");
    }

    /** Runs Maven; a failed build fails the test, with what Maven printed. */
    void run(Path project, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + localRepository()));
        // Kotlin's daemon would outlive the test.
        command.add("-Dkotlin.compiler.daemon=false");
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // They may name the local repository of the build that runs this test.
        builder.environment().remove("MAVEN_OPTS");
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor()).as(Files.readString(output)).isZero();
        } finally {
            maven.destroyForcibly();
        }
    }
}
