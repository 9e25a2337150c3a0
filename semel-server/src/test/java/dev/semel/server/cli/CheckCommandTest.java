package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.zoo.Defect;
import dev.semel.server.check.zoo.ZooServer;
import dev.semel.server.check.zoo.ZooServer.Style;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("semel check")
class CheckCommandTest {

    private static final String BODY = "{\"order\":\"{{uuid}}\",\"amount\":100}";

    @TempDir
    Path directory;

    private static ZooServer server(@Nullable Defect defect) {
        return new ZooServer(Style.DRAFT, defect, Duration.ofMillis(1));
    }

    private static Invocation check(ZooServer server, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "check",
                "curl",
                "-i",
                "-X",
                "POST",
                server.url("/payments"),
                "-H",
                "Authorization: Bearer first-secret",
                "--json",
                BODY,
                "--settle",
                "5",
                "--retry-pause",
                "5",
                "--concurrency",
                "4"));
        arguments.addAll(List.of(more));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    @Test
    void exits_with_0_for_an_api_that_keeps_every_promise() {
        try (ZooServer server = server(null)) {
            Invocation run = check(server, "--effects-get", server.url("/effects"), "--yes", "--seed", "7");

            assertThat(run.status()).as(run.out() + run.err()).isZero();
            assertThat(run.out())
                    .contains(
                            "never more than 600",
                            "✓ duplicates-at-once",
                            "Safe to retry, as far as this saw",
                            "--seed 7")
                    .contains("- account-isolation", "needs a second account: --as")
                    .doesNotContain("answers only", "\u001b[", "✗");
        }
    }

    @Test
    void exits_with_1_and_shows_how_to_reproduce_what_is_broken_without_credentials() {
        try (ZooServer server = server(Defect.NO_FINGERPRINT)) {
            Invocation run = check(server, "--effects-get", server.url("/effects"), "--yes", "--color", "always");

            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out())
                    .contains("\u001b[31m", "Not safe to retry", "KEY=$(uuidgen)")
                    .contains(
                            "-H \"Authorization: $AUTHORIZATION\"",
                            "--data-raw '{\"order\": \"'$VALUE'\",\"amount\": 101}'")
                    .doesNotContain("first-secret");
        }
    }

    @Test
    void says_answers_only_where_effects_are_not_counted() {
        try (ZooServer server = server(null)) {
            Invocation run = check(server, "--yes");

            assertThat(run.status()).as(run.out()).isZero();
            assertThat(run.out()).contains("effects are not counted: answers only", "(answers only)");
        }
    }

    @Test
    void exits_with_3_where_the_api_accepts_nothing_or_the_oracle_counts_nothing_or_the_budget_is_spent() {
        try (ZooServer server = server(null)) {
            Invocation refused = Invocation.of("check", server.url("/nothing"), "--json", "{}", "--yes");
            assertThat(refused.status()).isEqualTo(3);
            assertThat(refused.out()).contains("nothing could be tested", "got 404");

            Invocation uncounted = check(server, "--effects-command", "echo 5", "--yes");
            assertThat(uncounted.status()).isEqualTo(3);
            assertThat(uncounted.out()).contains("echo 5 counted no effect");

            Invocation spent = check(server, "--effects-get", server.url("/effects"), "--budget", "20", "--yes");
            assertThat(spent.status()).isEqualTo(3);
            assertThat(spent.out()).contains("the budget of 20 requests is used up");

            Invocation untried = check(server, "--rule", "account-isolation", "--yes");
            assertThat(untried.status()).isEqualTo(3);
            assertThat(untried.out()).contains("not tried: needs a second account");
            assertThat(server.effects()).isLessThan(60);
        }
    }

    @Test
    void announces_and_sends_nothing_with_dry_run() {
        try (ZooServer server = server(null)) {
            Invocation run = check(server, "--dry-run");

            assertThat(run.status()).isZero();
            assertThat(run.out())
                    .contains(
                            "POST " + server.url("/payments"),
                            "About ",
                            "other-body                about  9 requests",
                            "answers only");
            assertThat(server.effects()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "http://192.0.2.1/ --yes | 192.0.2.1 is another machine",
                "http://127.0.0.1@192.0.2.1/ --yes | 192.0.2.1 is another machine",
                "http://[::ffff:192.0.2.1]/ --yes | [::ffff:192.0.2.1] is another machine",
                "http://no-such-host.invalid/ --yes | the host no-such-host.invalid is not known",
                "ftp://127.0.0.1/ --yes | 'ftp://127.0.0.1/' is no address of an API",
                "--yes | an address is missing",
                "http://127.0.0.1/ --proxy x | unknown option '--proxy'",
                "http://127.0.0.1/ --concurrency 65 | --concurrency is 65, it must be between 2 and 64",
                "http://127.0.0.1/ --rule dance | there is no rule 'dance'",
                "http://127.0.0.1/ --keys loud | --keys is 'loud'",
                "http://127.0.0.1/ --color loud | --color is 'loud', it must be auto, always or never",
                "http://127.0.0.1/ --effects-get x --effects-command y | give one of",
                "http://127.0.0.1/ --operation pay | --operation needs --openapi",
                "http://127.0.0.1/ --effects-get http://127.0.0.1/#count | is no JSON Pointer",
            })
    void exits_with_2_and_one_line_for_a_wrong_command_line(String line, String message) {
        List<String> arguments = new ArrayList<>(List.of("check"));
        arguments.addAll(List.of(line.split(" ")));

        Invocation run = Invocation.of(arguments.toArray(String[]::new));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith("semel: ").contains(message).hasLineCount(2);
    }

    @Test
    void refuses_servers_of_descriptions_and_files_on_other_machines() throws Exception {
        Path api = Files.writeString(directory.resolve("api.yaml"), """
            openapi: 3.1.0
            servers: [{url: 'http://192.0.2.1/v1'}]
            paths: {/payments: {post: {operationId: pay}}}
            """);
        Path config = Files.writeString(directory.resolve("check.yaml"), """
            operations:
              - url: http://127.0.0.1/first
              - url: http://192.0.2.1/second
            """);

        for (List<String> given :
                List.of(List.of("--openapi", api.toString()), List.of("--config", config.toString()))) {
            Invocation run = Invocation.of("check", given.get(0), given.get(1), "--yes");

            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err()).contains("192.0.2.1 is another machine", "--i-may-test-this-host");
        }
    }

    @Test
    void exits_with_2_where_a_report_cannot_be_written() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        try (ZooServer server = server(null)) {
            Invocation run = check(
                    server,
                    "--rule",
                    "replay-body",
                    "--yes",
                    "--html",
                    file.resolve("report.html").toString());

            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err()).contains("a report cannot be written", file.toString());
        }
    }

    @Test
    void repeats_a_run_by_its_seed() {
        try (ZooServer one = server(null);
                ZooServer two = server(null)) {
            String first = check(one, "--yes", "--seed", "5", "--rule", "other-body,replay-body")
                    .out();
            String second = check(two, "--yes", "--seed", "5", "--rule", "other-body,replay-body")
                    .out();
            Invocation remembered =
                    check(one, "--yes", "--seed", "5", "--rule", "replay-body", "--effects-get", one.url("/effects"));

            assertThat(first.replaceAll("[0-9.:]+", "")).isEqualTo(second.replaceAll("[0-9.:]+", ""));
            assertThat(remembered.out()).contains("use another --seed where the API remembers the keys");
        }
    }

    @Test
    void writes_all_reports_of_operations_of_an_openapi_description() throws Exception {
        Path api = Files.writeString(directory.resolve("api.yaml"), """
            openapi: 3.0.3
            paths:
              /payments:
                post:
                  operationId: pay
                  requestBody:
                    content: {application/json: {example: {order: '{{uuid}}', amount: 100}}}
            """);
        try (ZooServer server = server(Defect.GLOBAL_KEYS)) {
            Invocation run = Invocation.of(
                    "check",
                    "--openapi",
                    api.toString(),
                    server.url(""),
                    "-H",
                    "Authorization: Bearer first-secret",
                    "--as",
                    "Authorization: Bearer second-secret",
                    "--settle",
                    "5",
                    "--retry-pause",
                    "5",
                    "--effects-get",
                    server.url("/effects"),
                    "--yes",
                    "--junit",
                    directory.resolve("junit.xml").toString(),
                    "--json-report",
                    directory.resolve("new/report.json").toString(),
                    "--sarif",
                    directory.resolve("report.sarif").toString(),
                    "--html",
                    directory.resolve("report.html").toString());

            assertThat(run.status()).as(run.out() + run.err()).isEqualTo(1);
            for (String file : List.of("junit.xml", "new/report.json", "report.sarif", "report.html")) {
                assertThat(Files.readString(directory.resolve(file)))
                        .contains("account-isolation", "$AUTHORIZATION_2")
                        .doesNotContain("first-secret", "second-secret");
            }
            Object sarif = Json.parse(Files.readString(directory.resolve("report.sarif")))
                    .orElseThrow();
            String location = "/runs/0/results/0/locations/0/physicalLocation";
            assertThat(Json.at(sarif, "/runs/0/results/0/ruleId")).contains("account-isolation");
            assertThat(Json.at(sarif, location + "/artifactLocation/uri")).contains(api.toString());
            assertThat(Json.at(sarif, location + "/region/startLine")).contains(4L);
        }
    }

    @Test
    void lists_its_rules_and_prints_the_schema_of_its_report() {
        assertThat(Invocation.of("check", "--rules").out())
                .contains("duplicates-at-once", "MUST", "Idempotency-Key draft, section 2.6");
        assertThat(Json.parse(Invocation.of("check", "--schema").out())).isPresent();
    }
}
