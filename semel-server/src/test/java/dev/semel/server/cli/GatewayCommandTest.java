package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.gateway.config.ConfigSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command says before it starts anything. */
@DisplayName("The command gateway")
class GatewayCommandTest {

    private static final String ROUTES = """
            upstream: http://127.0.0.1:9000
            scope: shared
            routes:
              - {name: create-payment, methods: POST, path: /payments, retention: payment}
              - {name: rest, path: "*", key: none}
            """;

    @TempDir
    Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("gateway.yaml"), content);
    }

    @Test
    void explains_in_one_line_which_owners_of_keys_there_are_when_none_is_given() {
        Invocation ended = Invocation.of("gateway", "--upstream", "http://127.0.0.1:9000");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err().lines().findFirst().orElse(""))
                .contains("--scope is missing")
                .contains("shared", "header:NAME", "jwt:CLAIM", "mtls", "api-key:NAME");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--upstream http://127.0.0.1:9000 --scope cookie | scope 'cookie' is none of",
                "--upstream localhost --scope shared | does not begin with http://",
                "--scope shared | --upstream",
                "--upstream http://127.0.0.1:9000 --scope shared --listen nowhere | is no address to listen on",
                "--upstream http://127.0.0.1:9000 --scope header:X-Account | --trust-proxy",
                "--upstream http://127.0.0.1:9000 --scope jwt:sub | --jwks",
                "--upstream http://127.0.0.1:9000 --scope mtls | tls.client-ca",
                "--config no-such-file.yaml | there is no such file",
            })
    void refuses_what_is_wrong_and_says_what_would_be_right(String arguments, String message) {
        Invocation ended =
                Invocation.of(("gateway --store memory: --admin 127.0.0.1:0 --listen 127.0.0.1:0 " + arguments)
                        .replaceFirst("--listen 127.0.0.1:0 (.*--listen)", "$1")
                        .split(" "));

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err()).contains(message);
    }

    @Test
    void checks_a_file_and_starts_nothing() throws IOException {
        Invocation valid = Invocation.of("gateway", "--config", file(ROUTES).toString(), "--check");
        assertThat(valid.status()).isZero();
        assertThat(valid.out()).contains("The configuration is valid: 2 routes");

        Path wrong = file(ROUTES.replace("retention", "retension"));
        Invocation refused = Invocation.of("gateway", "--config", wrong.toString(), "--check");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err())
                .contains("gateway.yaml:4: routes[0].retension: there is no such field; did you mean retention");
    }

    @Test
    void explains_which_route_a_request_takes_and_why() throws IOException {
        String config = file(ROUTES).toString();

        Invocation protectedOne = Invocation.of("gateway", "--config", config, "--explain", "POST /payments");
        Invocation other = Invocation.of("gateway", "--config", config, "--explain", "PUT /orders/7");
        Invocation nonsense = Invocation.of("gateway", "--config", config, "--explain", "payments");

        assertThat(protectedOne.status()).isZero();
        assertThat(protectedOne.out())
                .contains("route create-payment: matches", "key: required, in Idempotency-Key", "kept for: PT168H");
        assertThat(other.out())
                .contains("route create-payment: not this one, its methods are POST", "route rest: matches");
        assertThat(nonsense.status()).isEqualTo(2);
        assertThat(nonsense.err()).contains("write 'POST /payments'");
    }

    @Test
    void prints_the_schema() {
        Invocation ended = Invocation.of("gateway", "--schema");

        assertThat(ended.status()).isZero();
        assertThat(ended.out()).isEqualTo(ConfigSchema.text());
    }
}
