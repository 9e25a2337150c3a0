package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The container files")
class ContainerFilesTest {

    /** What a service of Compose may have, as far as we use it. */
    private static final Set<String> SERVICE = Set.of(
            "build",
            "image",
            "command",
            "environment",
            "depends_on",
            "restart",
            "read_only",
            "cap_drop",
            "security_opt",
            "tmpfs",
            "healthcheck",
            "volumes",
            "ports",
            "profiles",
            "stop_grace_period");

    private final Dockerfile image = Dockerfile.of(DeployFiles.read("Dockerfile"));

    @Test
    void build_on_an_image_that_any_registry_can_serve() {
        assertThat(DeployFiles.isPlainImage(image.only("FROM").arguments())).isTrue();
        assertThat(image.all("ADD")).isEmpty();
    }

    @Test
    void need_nothing_but_the_jar() {
        assertThat(image.only("COPY").words()).containsExactly("semel.jar", "/opt/semel/semel.jar");
        assertThat(image.only("ENTRYPOINT").array()).startsWith("java").endsWith("-jar", "/opt/semel/semel.jar");
    }

    @Test
    void run_as_a_user_that_is_not_root() {
        assertThat(image.only("USER").arguments()).matches("[1-9]\\d*:[1-9]\\d*");
        List<String> names =
                image.instructions().stream().map(Dockerfile.Instruction::name).toList();
        assertThat(names.indexOf("USER")).isLessThan(names.indexOf("ENTRYPOINT"));
    }

    @Test
    void call_commands_that_exist() {
        assertThat(image.only("CMD").array()).containsExactly("--help");
        DeployFiles.assertCommand(strings(services().get("semel"), "command"));
        DeployFiles.assertCommand(strings(services().get("gateway"), "command"));
    }

    @Test
    void describe_services_by_known_fields() {
        Map<String, Object> compose = DeployFiles.yaml("compose.yaml").get(0);
        assertThat(compose.keySet()).containsExactlyInAnyOrder("name", "services", "volumes");

        Map<String, Map<String, Object>> services = services();
        services.forEach((name, service) -> {
            assertThat(SERVICE).as(name).containsAll(service.keySet());
            assertThat(DeployFiles.isPlainImage(
                            service.get("image") + (service.get("image").equals("semel") ? ":any" : "")))
                    .as(name)
                    .isTrue();
            map(service, "depends_on").forEach((other, condition) -> {
                assertThat(services).as(name).containsKey(other);
                assertThat(condition).isEqualTo(Map.of("condition", "service_healthy"));
                assertThat(map(services.get(other), "healthcheck"))
                        .as(other)
                        .containsKeys("test", "interval", "retries");
            });
        });
        for (String own : List.of("semel", "gateway")) {
            assertThat(services.get(own))
                    .as(own)
                    .containsEntry("read_only", true)
                    .containsEntry("cap_drop", List.of("ALL"))
                    .containsEntry("security_opt", List.of("no-new-privileges:true"));
        }
        assertThat(strings(services.get("gateway"), "ports")).allMatch(port -> port.startsWith("127.0.0.1:"));
        Map<String, Object> build = map(services.get("semel"), "build");
        assertThat(DeployFiles.FOLDER.resolve(build.get("context").toString()).normalize())
                .isEqualTo(DeployFiles.FOLDER.resolveSibling("target"));
        assertThat(DeployFiles.FOLDER
                        .resolve(build.get("context").toString())
                        .resolve(build.get("dockerfile").toString())
                        .normalize())
                .isEqualTo(DeployFiles.FOLDER.resolve("Dockerfile"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RUN echo",
                "FROM a\nDANCE b",
                "FROM a\nRUN",
                "FROM a\nRUN b \\",
                "",
            })
    void are_checked_by_a_reader_that_refuses_what_is_not_a_dockerfile(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Dockerfile.of(text));
    }

    @Test
    void are_checked_by_a_reader_that_refuses_a_shell() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Dockerfile.of("FROM a\nCMD java -jar x").only("CMD").array());
        assertThat(DeployFiles.isPlainImage("registry.example/java:21")).isFalse();
        assertThat(DeployFiles.isPlainImage("java")).isFalse();
        assertThat(DeployFiles.isPlainImage("java:latest")).isFalse();
    }

    private static Map<String, Map<String, Object>> services() {
        @SuppressWarnings("unchecked")
        Map<String, Map<String, Object>> services = (Map<String, Map<String, Object>>)
                DeployFiles.yaml("compose.yaml").get(0).get("services");
        return services;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> owner, String name) {
        return (Map<String, Object>) owner.getOrDefault(name, Map.of());
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Map<String, Object> owner, String name) {
        return (List<String>) owner.get(name);
    }
}
