package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.gateway.config.ConfigException;
import dev.semel.server.gateway.config.ConfigFile;
import dev.semel.server.gateway.config.GatewayConfig;
import dev.semel.server.gateway.config.JwtConfig;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A gateway whose file publishes its policy")
class PublishedPolicyTest {

    private static final String ROUTES = """
            upstream: http://127.0.0.1:1
            scope: shared
            routes:
              - name: charge
                methods: [POST, GET]
                path: /charges/**
                profile: stripe
            """;

    @TempDir
    private Path directory;

    private GatewayConfig parse(String text) {
        try {
            Path file = Files.writeString(directory.resolve("gateway.yaml"), text);
            return ConfigFile.read(file, new ConfigFile.Given(null, null, List.of(), JwtConfig.NONE))
                    .gateway();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void answers_it_where_no_route_matches_with_the_methods_and_paths_of_the_file() {
        try (TestGateway gateway = TestGateway.of(parse("policy-path: /idempotency/policy\n" + ROUTES))) {
            Wire.Reply policy = new Wire.Request("GET", "/idempotency/policy").send(gateway.port());
            assertThat(policy.status()).isEqualTo(200);
            assertThat(policy.text())
                    .contains(
                            "{\"operation\":\"charge\",\"routes\":[{\"methods\":[\"POST\"],\"path\":\"/charges/**\"}]")
                    .contains("\"profile\":\"stripe\"", "\"mismatch_status\":400");
            Wire.Reply page = new Wire.Request("GET", "/idempotency/policy")
                    .header("Accept", "text/html")
                    .send(gateway.port());
            assertThat(page.text()).startsWith("<!DOCTYPE html>").contains("<h2>charge</h2>");
            Wire.Reply unkeyed = new Wire.Request("POST", "/charges").json("{}").send(gateway.port());
            assertThat(unkeyed.text()).startsWith("{\"error\":{\"type\":\"invalid_request_error\"");
        }
    }

    @Test
    void publishes_nothing_unless_told_to() {
        GatewayConfig config = parse("answer-headers: false\n" + ROUTES);
        assertThat(config.answers()).isEqualTo(new GatewayConfig.AnswersConfig(false, null));
        try (TestGateway gateway = TestGateway.of(config)) {
            assertThat(new Wire.Request("GET", "/idempotency/policy")
                            .send(gateway.port())
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void is_told_what_a_path_looks_like() {
        assertThatThrownBy(() -> parse("policy-path: policy\n" + ROUTES))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("/idempotency/policy");
    }
}
