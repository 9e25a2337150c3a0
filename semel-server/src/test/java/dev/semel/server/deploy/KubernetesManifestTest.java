package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A job in Kubernetes")
class KubernetesManifestTest {

    private static final String FILE = "kubernetes/semel.yaml";

    static Stream<Map<String, Object>> jobs() {
        return DeployFiles.yaml(FILE).stream();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void has_the_fields_that_the_api_requires(Map<String, Object> job) {
        assertThat(job.keySet()).containsExactlyInAnyOrder("apiVersion", "kind", "metadata", "spec");
        assertThat(job).containsEntry("apiVersion", "batch/v1").containsEntry("kind", "CronJob");
        assertThat(text(job, "metadata", "name")).matches("[a-z0-9]([a-z0-9-]{0,50}[a-z0-9])?");
        assertThat(text(job, "spec", "schedule")).matches("(\\*|[0-9]+|\\*/[0-9]+)( (\\*|[0-9]+|\\*/[0-9]+)){4}");
        assertThat(map(job, "spec").keySet())
                .isEqualTo(Set.of(
                        "schedule",
                        "concurrencyPolicy",
                        "startingDeadlineSeconds",
                        "successfulJobsHistoryLimit",
                        "failedJobsHistoryLimit",
                        "jobTemplate"));
        assertThat(map(job, "spec", "jobTemplate", "spec").keySet())
                .isEqualTo(Set.of("backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished", "template"));
        assertThat(text(job, "spec", "concurrencyPolicy")).isEqualTo("Forbid");
        assertThat(pod(job))
                .containsEntry("restartPolicy", "Never")
                .containsEntry("automountServiceAccountToken", false);
        assertThat(map(job, "spec", "jobTemplate", "spec", "template", "metadata", "labels"))
                .isEqualTo(map(job, "metadata", "labels"));
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void calls_a_command_that_exists(Map<String, Object> job) {
        @SuppressWarnings("unchecked")
        List<String> arguments = (List<String>) container(job).get("args");

        DeployFiles.assertCommand(Objects.requireNonNull(arguments));
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void may_do_little(Map<String, Object> job) {
        assertThat(map(pod(job), "securityContext")).containsEntry("runAsNonRoot", true);
        assertThat(map(container(job), "securityContext"))
                .containsEntry("allowPrivilegeEscalation", false)
                .containsEntry("readOnlyRootFilesystem", true)
                .containsEntry("capabilities", Map.of("drop", List.of("ALL")));
        assertThat(map(container(job), "resources").keySet()).containsExactlyInAnyOrder("requests", "limits");
        assertThat(map(container(job), "resources", "limits")).containsKey("memory");
        assertThat(first(container(job), "volumeMounts")).containsEntry("mountPath", "/tmp");
        assertThat(first(pod(job), "volumes").get("name"))
                .isEqualTo(first(container(job), "volumeMounts").get("name"));
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void takes_the_store_from_a_secret(Map<String, Object> job) {
        assertThat(first(container(job), "env"))
                .isEqualTo(Map.of(
                        "name",
                        "SEMEL_STORE",
                        "valueFrom",
                        Map.of("secretKeyRef", Map.of("name", "semel-store", "key", "uri"))));
        assertThat(DeployFiles.read(FILE)).contains("create secret generic semel-store --from-literal=uri=");
    }

    @Test
    void prunes_and_another_alerts() {
        assertThat(jobs().map(job -> text(job, "metadata", "name"))).containsExactly("semel-prune", "semel-unknown");
    }

    private static Map<String, Object> pod(Map<String, Object> job) {
        return map(job, "spec", "jobTemplate", "spec", "template", "spec");
    }

    private static Map<String, Object> container(Map<String, Object> job) {
        return first(pod(job), "containers");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> first(Map<String, Object> owner, String name) {
        return ((List<Map<String, Object>>) owner.get(name)).get(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> owner, String... path) {
        Map<String, Object> found = owner;
        for (String name : path) {
            found = (Map<String, Object>) Objects.requireNonNull(found.get(name), name);
        }
        return found;
    }

    private static String text(Map<String, Object> owner, String object, String name) {
        return (String) Objects.requireNonNull(map(owner, object).get(name), name);
    }
}
