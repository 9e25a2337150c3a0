package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.cli.Invocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The gateway in Kubernetes")
class GatewayManifestTest {

    @TempDir
    Path directory;

    private final Map<String, Object> deployment =
            DeployFiles.yaml("kubernetes/gateway.yaml").get(0);
    private final Map<String, Object> service =
            DeployFiles.yaml("kubernetes/gateway.yaml").get(1);
    private final Map<String, Object> pod = map(deployment, "spec", "template", "spec");
    private final Map<String, Object> upstream = list(pod, "containers").get(0);
    private final Map<String, Object> gateway = list(pod, "containers").get(1);

    @Test
    void has_the_fields_that_the_api_requires() {
        assertThat(deployment).containsEntry("apiVersion", "apps/v1").containsEntry("kind", "Deployment");
        assertThat(service).containsEntry("apiVersion", "v1").containsEntry("kind", "Service");
        Map<String, Object> labels = map(deployment, "spec", "template", "metadata", "labels");
        assertThat(map(deployment, "spec", "selector", "matchLabels")).isEqualTo(labels);
        assertThat(map(service, "spec", "selector")).isEqualTo(labels);
    }

    @Test
    void is_called_with_a_command_that_exists_and_leads_to_the_container_beside_it() {
        @SuppressWarnings("unchecked")
        List<String> arguments = (List<String>) gateway.get("args");
        Object port = list(upstream, "ports").get(0).get("containerPort");

        DeployFiles.assertCommand(Objects.requireNonNull(arguments));
        assertThat(arguments).contains("--upstream=http://127.0.0.1:" + port);
    }

    @Test
    void takes_the_requests_of_the_service_and_says_whether_it_is_ready() {
        assertThat(list(map(service, "spec"), "ports").get(0)).containsEntry("targetPort", "http");
        assertThat(list(gateway, "ports"))
                .containsExactly(
                        Map.of("name", "http", "containerPort", 8088), Map.of("name", "admin", "containerPort", 8089));
        assertThat(map(gateway, "readinessProbe", "httpGet")).isEqualTo(Map.of("path", "/readyz", "port", "admin"));
        assertThat(map(gateway, "livenessProbe", "httpGet")).isEqualTo(Map.of("path", "/healthz", "port", "admin"));
    }

    @Test
    void may_do_little() {
        assertThat(map(pod, "securityContext")).containsEntry("runAsNonRoot", true);
        assertThat(map(gateway, "securityContext"))
                .containsEntry("allowPrivilegeEscalation", false)
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
        assertThat(map(gateway, "resources", "limits")).containsKey("memory");
    }

    @Test
    void behind_an_ingress_leads_from_it_to_the_service_by_a_valid_configuration() {
        List<Map<String, Object>> documents = DeployFiles.yaml("kubernetes/gateway-ingress.yaml");
        Map<String, Object> config = documents.get(0);
        Map<String, Object> template = map(documents.get(1), "spec", "template");
        Map<String, Object> container =
                list(map(template, "spec"), "containers").get(0);
        Map<String, Object> frontService = documents.get(2);
        Map<String, Object> rule = list(map(documents.get(3), "spec"), "rules").get(0);
        @SuppressWarnings("unchecked")
        List<String> arguments = (List<String>) Objects.requireNonNull(container.get("args"));

        assertThat(documents)
                .extracting(document -> document.get("kind"))
                .containsExactly("ConfigMap", "Deployment", "Service", "Ingress");
        assertThat(map(frontService, "spec", "selector")).isEqualTo(map(template, "metadata", "labels"));
        assertThat(map(list(map(rule, "http"), "paths").get(0), "backend", "service"))
                .containsEntry("name", map(frontService, "metadata").get("name"))
                .containsEntry("port", Map.of("name", "http"));
        assertThat(list(container, "ports")).isEqualTo(list(gateway, "ports"));
        assertThat(map(container, "securityContext")).isEqualTo(map(gateway, "securityContext"));
        assertThat(map(container, "readinessProbe")).isEqualTo(map(gateway, "readinessProbe"));
        assertThat(arguments).containsExactly("gateway", "--config=/etc/semel/gateway.yaml");
        assertThat(list(container, "volumeMounts").get(0)).containsEntry("mountPath", "/etc/semel");
        assertThat(map(list(map(template, "spec"), "volumes").get(0), "configMap"))
                .containsEntry("name", map(config, "metadata").get("name"));
        assertThat(checked(String.valueOf(map(config, "data").get("gateway.yaml"))))
                .contains("The configuration is valid: 2 routes");
    }

    /** What the command says of a configuration file. */
    private String checked(String content) {
        try {
            Path file = Files.writeString(directory.resolve("gateway.yaml"), content);
            return Invocation.of("gateway", "--config=" + file, "--check").out();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> owner, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(owner.get(name), name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> owner, String... path) {
        Map<String, Object> found = owner;
        for (String name : path) {
            found = (Map<String, Object>) Objects.requireNonNull(found.get(name), name);
        }
        return found;
    }
}
