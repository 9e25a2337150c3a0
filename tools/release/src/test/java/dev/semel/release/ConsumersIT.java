package dev.semel.release;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds applications that use the published artifacts, and nothing else of this project.
 *
 * <p>Their local repository holds these artifacts alone. Other libraries come from the local repository of the build that runs
 * this test, used as if it were a remote one, so that little has to be downloaded again.
 */
@DisplayName("An application that uses the published artifacts")
class ConsumersIT {

    private static final String PARENT = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>applications</artifactId>
              <version>1</version>
              <packaging>pom</packaging>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <repositories>
                <repository><id>machine</id><url>%1$s</url></repository>
              </repositories>
              <pluginRepositories>
                <pluginRepository><id>machine</id><url>%1$s</url></pluginRepository>
              </pluginRepositories>
              <modules>%2$s</modules>
              <dependencyManagement>
                <dependencies>
                  <dependency>
                    <groupId>dev.semel</groupId>
                    <artifactId>semel-bom</artifactId>
                    <version>%3$s</version>
                    <type>pom</type>
                    <scope>import</scope>
                  </dependency>
                </dependencies>
              </dependencyManagement>
              <build>
                <pluginManagement>
                  <plugins>%4$s</plugins>
                </pluginManagement>
              </build>
            </project>
            """;

    private static final String APPLICATION = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <parent>
                <groupId>com.example</groupId>
                <artifactId>applications</artifactId>
                <version>1</version>
              </parent>
              <artifactId>%s</artifactId>
              <dependencies>%s</dependencies>
              %s
            </project>
            """;

    private static final String DEPENDENCY =
            "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s</dependency>";

    /** The compiler of Kotlin in the version of this build. */
    private static final String KOTLIN = """
            <build>
              <sourceDirectory>src/main/kotlin</sourceDirectory>
              <plugins>
                <plugin>
                  <groupId>org.jetbrains.kotlin</groupId>
                  <artifactId>kotlin-maven-plugin</artifactId>
                  <version>%s</version>
                  <executions>
                    <execution>
                      <goals><goal>compile</goal></goals>
                      <configuration><jvmTarget>17</jvmTarget></configuration>
                    </execution>
                  </executions>
                </plugin>
              </plugins>
            </build>
            """;

    private static final Pattern KOTLIN_VERSION = Pattern.compile("<kotlin.version>([^<]+)</kotlin.version>");

    private static final Pattern POSTGRESQL_VERSION =
            Pattern.compile("<postgresql.version>([^<]+)</postgresql.version>");

    private static final Pattern KOTLIN_SNIPPET = Pattern.compile("```kotlin\n(.*?)```", Pattern.DOTALL);

    private static final String MAIN = """
            package com.example;

            import dev.semel.*;
            import dev.semel.engine.SemelEngine;
            import dev.semel.fingerprint.Fingerprinter;
            import dev.semel.memory.MemoryStore;

            public class Main {
                public static void main(String[] args) {
                    try (Semel semel = SemelEngine.on(new MemoryStore()).build()) {
                        Intent intent = Intent.of(
                                Operation.named("charge"),
                                Scope.of("acme"),
                                Key.of("order-42"),
                                Fingerprinter.sha256().ofText("100 EUR"));
                        System.out.println(semel.execute(intent, Codec.text(), attempt -> "charged").getClass().getSimpleName());
                        System.out.println(semel.execute(intent, Codec.text(), attempt -> "charged").getClass().getSimpleName());
                    }
                }
            }
            """;

    /** A row of the table of modules: artifact, Java module, what it brings. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(semel-[a-z0-9-]+)` \\| `([a-z.0-9]+)` \\| ([^|]*?) \\|");

    @TempDir
    private static Path folder;

    private static Path applications;

    /** One build for all: an application for each module, which depends on that module alone, and one on PostgreSQL. */
    @BeforeAll
    static void build() throws Exception {
        applications = Files.createDirectories(folder.resolve("applications"));
        Map<String, String> poms = new TreeMap<>();
        for (Path module : Published.modules()) {
            String artifact = Published.artifact(module);
            String version = artifact.equals("semel-server") ? "<version>" + Published.VERSION + "</version>" : "";
            poms.put("uses-" + artifact, DEPENDENCY.formatted("dev.semel", artifact, version));
        }
        String driver = first(POSTGRESQL_VERSION, Published.ROOT.resolve("pom.xml"));
        poms.put(
                "postgresql-service",
                DEPENDENCY.formatted("dev.semel", "semel-jdbc", "")
                        + DEPENDENCY.formatted("org.postgresql", "postgresql", "<version>" + driver + "</version>"));
        for (Map.Entry<String, String> pom : poms.entrySet()) {
            Path application = Files.createDirectories(applications.resolve(pom.getKey()));
            String build = pom.getKey().equals("uses-semel-kotlin")
                    ? KOTLIN.formatted(first(KOTLIN_VERSION, Published.ROOT.resolve("pom.xml")))
                    : "";
            Files.writeString(
                    application.resolve("pom.xml"), APPLICATION.formatted(pom.getKey(), pom.getValue(), build));
        }
        Path sources = Files.createDirectories(applications.resolve("uses-semel-core/src/main/java/com/example"));
        Files.writeString(sources.resolve("Main.java"), MAIN);
        Path kotlin = Files.createDirectories(applications.resolve("uses-semel-kotlin/src/main/kotlin"));
        Files.writeString(
                kotlin.resolve("Main.kt"), first(KOTLIN_SNIPPET, Published.ROOT.resolve("docs/how-to/kotlin.md")));
        Files.writeString(
                applications.resolve("pom.xml"),
                PARENT.formatted(
                        Path.of(System.getProperty("local.repository")).toUri(),
                        poms.keySet().stream()
                                .map(name -> "<module>" + name + "</module>")
                                .collect(joining()),
                        Published.VERSION,
                        plugins()));
        new MavenRun(folder)
                .run(
                        applications,
                        "compile",
                        "org.apache.maven.plugins:maven-dependency-plugin:build-classpath",
                        "-Dmdep.outputFile=target/classpath.txt",
                        "-DincludeScope=runtime");
    }

    private static String first(Pattern pattern, Path file) {
        Matcher matcher = pattern.matcher(Published.read(file));
        assertThat(matcher.find()).as(pattern + " in " + file).isTrue();
        return matcher.group(1);
    }

    /** The plugins of this build in the same versions: they are on the machine. */
    private static String plugins() {
        String pom = Published.read(Published.ROOT.resolve("pom.xml"));
        Matcher plugin = Pattern.compile(
                        "<artifactId>(maven-(?:resources|compiler|dependency)-plugin)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(pom);
        return plugin.results()
                .map(match -> "<plugin><artifactId>" + match.group(1) + "</artifactId><version>" + match.group(2)
                        + "</version></plugin>")
                .collect(joining());
    }

    /** What a module brings. */
    private static TreeSet<String> libraries(String artifact) {
        TreeSet<String> libraries = librariesOf("uses-" + artifact);
        assertThat(libraries).contains(artifact);
        libraries.remove(artifact);
        return libraries;
    }

    /** The libraries of an application at run time, without versions; Semel's own modules included. */
    private static TreeSet<String> librariesOf(String application) {
        Path classpath = applications.resolve(application + "/target/classpath.txt");
        TreeSet<String> libraries = new TreeSet<>();
        for (String jar : Published.read(classpath).strip().split(File.pathSeparator)) {
            // …/artifact/version/artifact-version.jar
            libraries.add(Path.of(jar).getParent().getParent().getFileName().toString());
        }
        return libraries;
    }

    @Test
    void runs() throws IOException, InterruptedException {
        assertThat(output("uses-semel-core", "com.example.Main")).containsExactly("Ran", "Replayed");
    }

    @Test
    void written_in_kotlin_as_documented_runs() throws IOException, InterruptedException {
        assertThat(output("uses-semel-kotlin", "MainKt"))
                .containsExactly("ran: charged 100 EUR", "replayed: charged 100 EUR");
    }

    private static List<String> output(String name, String mainClass) throws IOException, InterruptedException {
        Path application = applications.resolve(name);
        String classpath =
                Published.read(application.resolve("target/classpath.txt")).strip();
        Path output = folder.resolve(name + ".txt");
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(MavenRun.QUICK_START);
        command.addAll(
                List.of("-cp", application.resolve("target/classes") + File.pathSeparator + classpath, mainClass));
        Process java = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(java.waitFor()).as(Files.readString(output)).isZero();
        } finally {
            java.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    @Test
    void of_core_gets_annotations_and_nothing_else() {
        assertThat(libraries("semel-core")).containsExactly("jspecify");
    }

    /** What {@code dependency:tree} shows. */
    @Test
    void on_postgresql_gets_neither_sqlite_nor_mariadb() {
        assertThat(librariesOf("postgresql-service"))
                .contains("semel-jdbc", "postgresql")
                .noneMatch(library -> library.matches(".*(sqlite|mariadb|mysql).*"));
    }

    @Test
    void gets_what_the_table_of_modules_says() {
        String page = Published.read(Published.ROOT.resolve("docs/reference/modules.md"));
        Map<String, TreeSet<String>> documented = new TreeMap<>();
        ROW.matcher(page).results().forEach(row -> documented.put(row.group(1), new TreeSet<>(names(row.group(3)))));
        Map<String, TreeSet<String>> actual = new TreeMap<>();
        for (Path module : Published.modules()) {
            actual.put(Published.artifact(module), libraries(Published.artifact(module)));
        }

        assertThat(documented).isEqualTo(actual);
    }

    private static List<String> names(String cell) {
        return Arrays.stream(cell.split(","))
                .map(String::strip)
                .map(name -> name.replace("`", ""))
                .toList();
    }
}
