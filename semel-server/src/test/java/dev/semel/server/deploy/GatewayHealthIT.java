package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The health check of the gateway in compose.yaml")
class GatewayHealthIT {

    private static final Pattern ADMIN = Pattern.compile("Admin: http://127\\.0\\.0\\.1:(\\d+)/");

    @TempDir
    Path directory;

    @Test
    void passes_while_the_gateway_runs_and_fails_afterwards() throws Exception {
        JarRun.copyJarTo(directory);
        Path out = directory.resolve("out");
        Process gateway = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        "semel.jar",
                        "gateway",
                        "--upstream=http://127.0.0.1:1",
                        "--scope=shared",
                        "--listen=127.0.0.1:0",
                        "--admin=127.0.0.1:0",
                        "--store=sqlite:" + directory.resolve("semel.db"))
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        try {
            String port = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> {
                                Matcher admin = ADMIN.matcher(Files.readString(out));
                                return admin.find() ? admin.group(1) : "";
                            },
                            found -> !found.isEmpty());

            await().atMost(Duration.ofSeconds(60)).until(() -> check(port) == 0);
            gateway.destroyForcibly().waitFor();
            assertThat(check(port)).isNotZero();
        } finally {
            gateway.destroyForcibly().waitFor();
        }
    }

    /** The check as Compose runs it, on the port of this gateway. */
    @SuppressWarnings("unchecked")
    private static int check(String port) throws Exception {
        Map<String, Map<String, Map<String, Object>>> services = (Map<String, Map<String, Map<String, Object>>>)
                DeployFiles.yaml("compose.yaml").get(0).get("services");
        List<String> test =
                (List<String>) services.get("gateway").get("healthcheck").get("test");
        assertThat(test).startsWith("CMD");
        assertThat(test.get(3)).contains("/8089 ");
        return new ProcessBuilder(test.subList(1, test.size()).stream()
                        .map(word -> word.replace("/8089 ", "/" + port + " "))
                        .toList())
                .redirectErrorStream(true)
                .start()
                .waitFor();
    }
}
