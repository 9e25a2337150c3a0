package dev.semel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command of the quickstart in a project with our parent whose tests, if they ran, would fail. */
@DisplayName("The documented install command")
class InstallCommandIT {

    private static final Pattern COMMAND = Pattern.compile("`(mvn [^`]* install)`");

    private static final String TEST = """
            class %s {
                @org.junit.jupiter.api.Test
                void fails() {
                    throw new AssertionError("a test ran");
                }
            }
            """;

    /** With the BOM that our parent imports among the modules: nothing of this project is installed yet. */
    private static final String REACTOR = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>reactor</artifactId>
              <version>1</version>
              <packaging>pom</packaging>
              <modules>
                <module>%s</module>
                <module>tests</module>
              </modules>
            </project>
            """;

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <parent>
                <groupId>dev.semel</groupId>
                <artifactId>semel-parent</artifactId>
                <version>%s</version>
                <relativePath>%s</relativePath>
              </parent>
              <artifactId>tests-that-fail</artifactId>
              <dependencies>
                <dependency>
                  <groupId>org.junit.jupiter</groupId>
                  <artifactId>junit-jupiter</artifactId>
                  <scope>test</scope>
                </dependency>
              </dependencies>
            </project>
            """;

    @TempDir
    private Path project;

    @Test
    void runs_neither_unit_tests_nor_integration_tests() throws Exception {
        writeProject();

        assertThat(mavenOutput(documented()))
                .contains("BUILD SUCCESS")
                .contains("Tests are skipped.")
                .doesNotContain("a test ran");
    }

    private void writeProject() throws IOException {
        Path root = project.toRealPath();
        Path module = Files.createDirectories(root.resolve("tests"));
        Path tests = Files.createDirectories(module.resolve("src/test/java"));
        Files.writeString(tests.resolve("UnitTest.java"), TEST.formatted("UnitTest"));
        Files.writeString(tests.resolve("IntegrationIT.java"), TEST.formatted("IntegrationIT"));
        Path ours = Published.ROOT.toRealPath();
        Files.writeString(
                module.resolve("pom.xml"),
                POM.formatted(Published.VERSION, module.relativize(ours.resolve("pom.xml"))));
        Files.writeString(root.resolve("pom.xml"), REACTOR.formatted(root.relativize(ours.resolve("semel-bom"))));
    }

    /** The words of the command; up to the phase that has run every test, so that nothing is really installed. */
    private static List<String> documented() throws IOException {
        Matcher command = COMMAND.matcher(Published.read(Published.ROOT.resolve("docs/start/spring-boot.md")));
        assertThat(command.find()).as("a command in the quickstart").isTrue();
        List<String> words = new ArrayList<>(List.of(command.group(1).split(" ")));
        words.replaceAll(word -> word.equals("install") ? "verify" : word);
        return words;
    }

    private String mavenOutput(List<String> command) throws Exception {
        List<String> words = new ArrayList<>(command);
        words.addAll(1, List.of("-B", "-ntp", "-o", "-Dmaven.repo.local=" + System.getProperty("local.repository")));
        Path output = project.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("MAVEN_OPTS", String.join(" ", MavenRun.QUICK_START));
        Process maven = builder.start();
        try {
            maven.waitFor();
        } finally {
            maven.destroyForcibly();
        }
        return Files.readString(output);
    }
}
