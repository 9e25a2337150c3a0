package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.admin.AdminApi;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.jdbc.Stores;
import dev.semel.server.console.ConsoleServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command line on a store, and on a console over HTTP")
class ConsoleCommandsTest {

    private static final Operation PAYMENT = Operation.named("create-payment");

    @TempDir
    Path folder;

    private SemelEngine semel;
    private ConsoleServer server;
    private String uri;

    @BeforeEach
    void start() throws IOException {
        uri = "sqlite:" + folder.resolve("semel.db");
        semel = SemelEngine.on(Stores.open(uri)).build();
        List<String> lines = new ArrayList<>();
        for (String name : List.of("alice", "bob")) {
            TokenFile.Made made = TokenFile.make(name, Role.ADMINISTRATOR);
            Files.writeString(folder.resolve(name), made.token() + "\n");
            lines.add(made.line());
        }
        Path tokens = Files.write(folder.resolve("tokens"), lines);
        AdminApi api = AdminApi.on(semel, new TokenFile(tokens))
                .writes(true)
                .approvals(2)
                .build();
        server = ConsoleServer.start(api, "127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.close();
        semel.close();
    }

    private void settled(String key, Outcome outcome) {
        Intent intent = Intent.of(PAYMENT, new Scope("acme"), Key.of(key), new Fingerprint("v1:meant"));
        ((Claim.Granted) semel.begin(intent)).attempt().settleAndWait(outcome);
    }

    private void completed(String key) {
        Headers headers = Headers.of("Content-Type", "text/plain");
        settled(
                key,
                new Outcome.Completed(RecordedResponse.of(201, headers, Body.ofText("paid " + key))
                        .toResponse()));
    }

    private String url() {
        return "http://127.0.0.1:" + server.port();
    }

    private Invocation locally(String... arguments) {
        return run(List.of("--store", uri), arguments);
    }

    private Invocation remotely(String person, String... arguments) {
        return run(
                List.of(
                        "--server",
                        url(),
                        "--token-file",
                        folder.resolve(person).toString()),
                arguments);
    }

    private static Invocation run(List<String> target, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(all.get(0).equals("stats") || all.get(0).equals("misuse") ? 1 : 2, target);
        return Invocation.of(all.toArray(String[]::new));
    }

    @Test
    void lists_the_same_from_both() {
        for (int i = 0; i < 3; i++) {
            completed("order-" + i);
        }
        settled("lost", new Outcome.Unknown("timeout"));
        Invocation local = locally("keys", "list", "--json", "--key-prefix", "order-", "--scope", "acme");
        assertThat(local.status()).isZero();
        assertThat(local.out().lines()).hasSize(3).first().asString().contains("\"key\":\"order-2\"");
        assertThat(remotely("alice", "keys", "list", "--json", "--key-prefix", "order-", "--scope", "acme"))
                .isEqualTo(local);
        assertThat(locally("keys", "list", "--state", "unknown").out()).contains("lost", "1 record");
        assertThat(locally("keys", "list", "--state", "lost").status()).isEqualTo(1);
        assertThat(remotely("alice", "unknown", "list", "--json").out()).contains("\"key\":\"lost\"");
    }

    @Test
    void shows_a_step_and_leaves_a_note_from_both() throws Exception {
        Intent intent = Intent.of(PAYMENT, new Scope("acme"), Key.of("lost"), new Fingerprint("v1:meant"));
        Claim.Granted granted = (Claim.Granted) semel.begin(intent);
        granted.attempt().step(Step.named("reserve"), Codec.text(), key -> "seat 12A");
        granted.attempt().settleAndWait(new Outcome.Unknown("timeout"));

        Invocation without = locally("keys", "show", "acme", "lost", "--step", "reserve");
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("--step needs --reason");
        assertThat(locally("keys", "show", "acme", "lost", "--step", "reserve", "--reason", "local")
                        .out())
                .contains("\"body\":\"seat 12A\"");
        assertThat(remotely("alice", "keys", "show", "acme", "lost", "--step", "reserve", "--reason", "remote")
                        .out())
                .contains("\"body\":\"seat 12A\"");
        Invocation unknown = locally("keys", "show", "acme", "lost", "--step", "pay", "--reason", "r");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.err()).contains("No such step is recorded");

        assertThat(locally("unknown", "note", "acme", "lost", "--reason", "decided tomorrow")
                        .out())
                .contains("Noted");
        assertThat(remotely("alice", "unknown", "note", "acme", "lost", "--reason", "still open")
                        .status())
                .isZero();
        assertThat(locally("keys", "show", "acme", "lost").out())
                .contains("step reserve: local", "step reserve: remote", "decided tomorrow", "still open")
                .doesNotContain("12A");
        completed("done");
        assertThat(locally("unknown", "note", "acme", "done", "--reason", "r").status())
                .isEqualTo(1);
    }

    @Test
    void shows_a_response_only_with_a_reason_and_leaves_a_trace() {
        completed("order-1");
        assertThat(locally("keys", "show", "acme", "order-1").out()).doesNotContain("paid");
        assertThat(locally("keys", "show", "--response", "acme", "order-1").status())
                .isEqualTo(2);
        assertThat(locally("keys", "show", "--response", "--reason", "ticket 7", "acme", "order-1")
                        .out())
                .contains("\"body\":\"paid order-1\"");
        assertThat(remotely("alice", "keys", "show", "acme", "order-1").out())
                .contains("viewed", "ticket 7")
                .doesNotContain("paid order-1");
        assertThat(remotely("alice", "keys", "show", "acme", "none").status()).isEqualTo(1);
    }

    @Test
    void forgets_only_under_the_fence_that_was_seen() {
        completed("order-1");
        Invocation refused =
                remotely("alice", "keys", "forget", "--fence", "7", "--reason", "test data", "acme", "order-1");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("The record has changed");
        assertThat(remotely("alice", "keys", "forget", "--fence", "1", "--reason", "test data", "acme", "order-1")
                        .status())
                .isZero();
        assertThat(locally("keys", "show", "acme", "order-1").out()).contains("expired", "forgotten", "person:alice");
    }

    @Test
    void two_people_settle_with_the_command_line() {
        settled("lost", new Outcome.Unknown("timeout"));
        String[] settle = {
            "unknown",
            "resolve",
            "--completed",
            "--status",
            "201",
            "--body",
            "paid",
            "--reason",
            "statement 7",
            "acme",
            "lost"
        };
        assertThat(remotely("alice", settle).out()).contains("Proposed");
        assertThat(remotely("alice", settle).out()).contains("Proposed");
        assertThat(remotely("bob", settle).out()).contains("Settled.");
        assertThat(locally("keys", "show", "acme", "lost").out()).contains("completed", "proposed by alice");
    }

    @Test
    void counts_and_fails_for_scripts() {
        settled("lost", new Outcome.Unknown("timeout"));
        assertThat(run(List.of("--store", uri), "stats", "--json").out())
                .contains("\"unknown\":1", "\"deadLetters\":0");
        assertThat(run(List.of("--store", uri), "stats", "--fail-if-dead").status())
                .isZero();
        assertThat(run(List.of("--store", uri), "misuse", "--json").status()).isEqualTo(1);
        Invocation unreachable = run(List.of("--server", "http://127.0.0.1:1"), "stats", "--json");
        assertThat(unreachable.status()).isEqualTo(1);
        assertThat(unreachable.err()).contains("cannot be reached");
        assertThat(run(List.of("--server", url()), "stats", "--json").err()).contains("Log in first");
        assertThat(run(List.of("--server", url(), "--store", uri), "stats", "--json")
                        .status())
                .isEqualTo(2);
    }

    @Test
    void a_console_that_other_machines_reach_needs_tokens() {
        Invocation refused = Invocation.of("console", "--store", uri, "--listen", "0.0.0.0:0");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("add --tokens FILE");
        assertThat(Invocation.of("console", "--store", uri, "--approvals", "2").err())
                .contains("approvals 2 needs authentication");
    }

    @Test
    void completes_commands_and_options() {
        assertThat(Invocation.of("completion").out()).contains("complete -F", "compinit", "--key-prefix");
    }

    @Test
    void bash_sources_the_completion_script_and_completes(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(
                folder.resolve("completion"), Invocation.of("completion").out());
        String typed = "source " + script + " && complete -p semel && COMP_WORDS=(semel keys '') COMP_CWORD=2"
                + " && _complete_semel && echo \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "-c", typed)
                .redirectErrorStream(true)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("complete -o default -F _complete_semel semel", "list show forget");
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void serves_pages_and_streams_figures() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> page = client.send(
                HttpRequest.newBuilder(URI.create(url() + "/semel/console/")).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        HttpResponse<InputStream> stream = client.send(
                HttpRequest.newBuilder(URI.create(url() + "/semel/api/v1/figures/stream"))
                        .header(
                                "Authorization",
                                "Bearer "
                                        + Files.readString(folder.resolve("alice"))
                                                .strip())
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (int events = 0; events < 2; events++) {
                assertThat(lines.readLine()).isEqualTo("event: figures");
                assertThat(lines.readLine()).startsWith("data: {");
                assertThat(lines.readLine()).isEmpty();
            }
        }
    }
}
