package dev.semel.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A published artifact")
class ArtifactsIT {

    private static final Pattern MANAGED = Pattern.compile("<artifactId>(semel-[a-z0-9-]+)</artifactId>");

    static List<Path> modules() {
        return Published.modules();
    }

    @Test
    void is_listed_in_the_bom_if_applications_depend_on_it() {
        Set<String> expected = modules().stream()
                .map(Published::artifact)
                .filter(artifact -> !artifact.equals("semel-server"))
                .collect(Collectors.toSet());
        String management = Published.read(Published.bom());
        Set<String> managed = MANAGED.matcher(management.substring(management.indexOf("<dependencyManagement>")))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(managed).isEqualTo(expected).hasSizeGreaterThan(10);
        assertThat(management).contains("<version>" + Published.VERSION + "</version>");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void has_a_pom_that_stands_alone(Path module) {
        assertThat(Published.read(Published.pom(module)))
                .contains(
                        "<name>",
                        "<description>",
                        "<url>",
                        "<name>Apache-2.0</name>",
                        "<developer>",
                        "<scm",
                        "<connection>")
                .doesNotContain("<parent>", "<dependencyManagement>", "${", "<scope>test</scope>");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void needs_released_libraries_only(Path module) {
        String others = Published.read(Published.pom(module))
                .replaceAll(
                        "<groupId>dev\\.semel</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*<version>[^<]*</version>",
                        "");

        assertThat(others)
                .doesNotContainPattern(
                        "(?i)<version>[^<]*(snapshot|alpha|beta|[.-]m[0-9]|[.-]rc|[.-]cr)[^<]*</version>");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void holds_licence_notice_and_a_module_name(Path module) throws IOException {
        try (JarFile jar = new JarFile(Published.jar(module).toFile())) {
            assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(jar.getEntry("META-INF/NOTICE")).isNotNull();
            assertThat(moduleName(jar)).startsWith("dev.semel").doesNotContain("unpublished");
        }
    }

    /** The two starters hold the same packages: an application has one of them. */
    @Test
    void shares_neither_its_module_name_nor_a_package_with_another() throws IOException {
        Map<String, String> owners = new HashMap<>();
        for (Path module : modules()) {
            if (Published.artifact(module).equals("semel-spring-boot3-starter")) {
                continue;
            }
            try (JarFile jar = new JarFile(Published.jar(module).toFile())) {
                Set<String> names = jar.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class"))
                        .map(name -> name.substring(0, name.lastIndexOf('/')))
                        .collect(Collectors.toSet());
                names.add("module " + moduleName(jar));
                for (String name : names) {
                    assertThat(owners.putIfAbsent(name, Published.artifact(module)))
                            .as(name + " of " + module)
                            .isNull();
                }
            }
        }
    }

    private static String moduleName(JarFile jar) throws IOException {
        return jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
    }
}
