package dev.semel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An application on published artifacts, on each framework, sends one request twice")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameworksIT {

    private static final Path SOURCES = Path.of("src/test/applications");

    /** Versions that the applications share with this build. */
    private static final List<String> VERSIONS = List.of(
            "grpc.version",
            "jersey.version",
            "jetty-webapp.version",
            "micronaut.version",
            "micronaut-serde.version",
            "quarkus.version",
            "spring-boot.version",
            "sqlite.version");

    private static final List<String> PLUGINS = List.of(
            "maven-compiler-plugin",
            "maven-dependency-plugin",
            "maven-jar-plugin",
            "maven-resources-plugin",
            "maven-surefire-plugin");

    private static final Pattern SHOP = Pattern.compile("```java\n(@SpringBootApplication.*?)```", Pattern.DOTALL);

    private static final String IMPORTS = """
            package com.example;

            import java.util.Map;
            import java.util.concurrent.atomic.AtomicInteger;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.http.HttpStatus;
            import org.springframework.web.bind.annotation.*;

            """;

    @TempDir
    private static Path folder;

    private static Path applications;

    @BeforeAll
    static void build() throws Exception {
        applications = folder.resolve("applications");
        copySources();
        String shop = IMPORTS + first(SHOP, Published.ROOT.resolve("docs/start/spring-boot.md"));
        for (String boot : List.of("spring-boot-3", "spring-boot-4")) {
            Files.writeString(applications.resolve(boot + "/src/main/java/com/example/Shop.java"), shop);
        }
        new MavenRun(folder).run(applications, arguments().toArray(String[]::new));
    }

    private static void copySources() throws IOException {
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Path copy = applications.resolve(SOURCES.relativize(source));
                Files.createDirectories(copy.getParent());
                Files.copy(source, copy);
            }
        }
    }

    private static List<String> arguments() {
        Path pom = Published.ROOT.resolve("pom.xml");
        List<String> arguments = new ArrayList<>(List.of("-q", "package"));
        arguments.add("-Dmachine.repository="
                + Path.of(System.getProperty("local.repository")).toUri());
        arguments.add("-Dsemel.version=" + Published.VERSION);
        for (String version : VERSIONS) {
            arguments.add("-D" + version + "=" + first(valueOf(version), pom));
        }
        Path boot3 = Published.ROOT.resolve("semel-spring-boot3-starter/pom.xml");
        arguments.add("-Dspring-boot-3.version=" + first(valueOf("spring-boot.version"), boot3));
        for (String plugin : PLUGINS) {
            Pattern version = Pattern.compile("<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)<");
            arguments.add("-D" + plugin + ".version=" + first(version, pom));
        }
        return arguments;
    }

    private static Pattern valueOf(String property) {
        return Pattern.compile("<" + Pattern.quote(property) + ">([^<]+)<");
    }

    private static String first(Pattern pattern, Path file) {
        Matcher matcher = pattern.matcher(Published.read(file));
        assertThat(matcher.find()).as(pattern + " in " + file).isTrue();
        return matcher.group(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk-server", "servlet", "jakarta-rest"})
    void executes_once_and_replays(String application) throws Exception {
        assertThat(runMain(application)).endsWith("201 order 1", "201 order 1 replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring-boot-3", "spring-boot-4"})
    @DisplayName("the quickstart of Spring Boot executes once and replays")
    void the_quickstart_executes_once_and_replays(String application) throws Exception {
        List<String> output = runMain(application);
        String first = output.get(output.size() - 2);
        assertThat(first).startsWith("201 ").contains("\"number\":1", "\"item\":\"tea\"");
        assertThat(output.get(output.size() - 1)).isEqualTo(first + " replayed");
    }

    @Test
    void of_micronaut_executes_once_and_replays() throws Exception {
        assertThat(runMain("micronaut")).endsWith("201 {\"order\":1}", "201 {\"order\":1} replayed");
    }

    @Test
    void of_quarkus_executes_once_and_replays() throws Exception {
        Path jar = applications.resolve("quarkus/target/quarkus-app/quarkus-run.jar");
        assertThat(run("quarkus", "-jar", jar.toString())).endsWith("201 order 1", "201 order 1 replayed");
    }

    @Test
    void of_grpc_executes_once_and_replays() throws Exception {
        assertThat(runMain("grpc")).endsWith("order 1", "order 1");
    }

    @ParameterizedTest
    @CsvSource({"spring-boot-3, mariadb", "spring-boot-4, mariadb", "spring-boot-4, postgresql", "jdk-server, sqlite"})
    void gets_no_driver_that_it_did_not_ask_for(String application, String driver) {
        assertThat(Published.read(applications.resolve(application + "/target/classpath.txt")))
                .doesNotContain(driver);
    }

    @ParameterizedTest
    @CsvSource({
        "spring-boot-3, semel-spring-boot3-starter, semel-spring-boot-starter",
        "spring-boot-4, semel-spring-boot-starter, semel-spring-boot3-starter",
    })
    @DisplayName("with the starter for another Spring Boot, does not start, and says in one sentence which it needs")
    void with_the_wrong_starter_does_not_start(String application, String right, String wrong) throws Exception {
        String classpath = classpath(application).replace(right, wrong);
        assertThat(classpath).contains(wrong + "-" + Published.VERSION + ".jar").doesNotContain(right + "-");

        Ended ended = start(application, "-cp", classpath, "com.example.Main");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(String.join("\n", ended.output()))
                .contains("APPLICATION FAILED TO START")
                .containsPattern(
                        wrong + " does not support Spring Boot [0-9.]+: depend on dev\\.semel:" + right + " instead\\.")
                .doesNotContain("\tat ");
    }

    private static String classpath(String application) {
        Path target = applications.resolve(application + "/target");
        String libraries = Published.read(target.resolve("classpath.txt")).strip();
        return target.resolve("classes") + System.getProperty("path.separator") + libraries;
    }

    private static List<String> runMain(String application) throws IOException, InterruptedException {
        return run(application, "-cp", classpath(application), "com.example.Main");
    }

    /** What a Java program prints, without its log; one that fails, fails the test. */
    private static List<String> run(String application, String... arguments) throws IOException, InterruptedException {
        Ended ended = start(application, arguments);
        assertThat(ended.exitCode())
                .as(() -> String.join("\n", ended.output()) + Published.read(folder.resolve(application + ".log")))
                .isZero();
        return ended.output();
    }

    /** A Java program that has ended. */
    private record Ended(int exitCode, List<String> output) {}

    private static Ended start(String application, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("-Xmx256m");
        command.addAll(MavenRun.QUICK_START);
        command.addAll(List.of(arguments));
        Path output = folder.resolve(application + ".txt");
        Path log = folder.resolve(application + ".log");
        Process java = new ProcessBuilder(command)
                .directory(applications.resolve(application).toFile())
                .redirectOutput(output.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            return new Ended(java.waitFor(), Files.readAllLines(output));
        } finally {
            java.destroyForcibly();
        }
    }
}
