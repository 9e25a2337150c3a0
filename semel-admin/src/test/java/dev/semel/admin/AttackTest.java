package dev.semel.admin;

import static dev.semel.admin.Console.codeOf;
import static dev.semel.admin.Console.json;
import static dev.semel.admin.Console.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.http.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways around the rules that have been tried. */
@DisplayName("The admin API under attack")
class AttackTest {

    private static final Headers JSON = Headers.of("Content-Type", "application/json");

    private static String didNotHappen(long fence) {
        return "{\"scope\":\"acme\",\"key\":\"k\",\"fence\":" + fence + ",\"happened\":false,\"reason\":\"r\"}";
    }

    private static State stateIn(Console console) {
        return console.semel.find(Identity.of("acme", "k")).orElseThrow().state();
    }

    /** A console with a token of alice's in a file. */
    private static final class Tokens implements AutoCloseable {

        final Path file;
        final TokenFile.Made alice = TokenFile.make("alice", Role.OPERATOR);
        final Console console;

        Tokens(Path folder) throws IOException {
            file = Files.writeString(folder.resolve("tokens"), alice.line() + "\n");
            console = new Console(new TokenFile(file), builder -> builder.writes(true));
        }

        Headers session() {
            AdminResponse login =
                    console.send("POST", AdminApi.CALLS + "/login", JSON, "{\"token\":\"" + alice.token() + "\"}");
            String cookie = login.headers().first("Set-Cookie").orElseThrow();
            return Headers.of("Cookie", cookie.substring(0, cookie.indexOf(';')));
        }

        AdminResponse get(String path, Headers headers) {
            return console.send("GET", AdminApi.CALLS + path, headers, "");
        }

        @Override
        public void close() {
            console.close();
        }
    }

    @Test
    void a_deleted_line_ends_the_sessions_that_its_token_began(@TempDir Path folder) throws IOException {
        try (Tokens tokens = new Tokens(folder)) {
            Headers session = tokens.session();
            assertThat(tokens.get("/figures", session).status()).isEqualTo(200);
            Files.writeString(
                    tokens.file, TokenFile.make("alice", Role.OPERATOR).line());
            assertThat(tokens.get("/figures", session).status())
                    .as("alice has another token now")
                    .isEqualTo(401);
        }
    }

    @Test
    void a_deleted_line_ends_the_streams_that_its_token_opened(@TempDir Path folder) throws IOException {
        try (Tokens tokens = new Tokens(folder)) {
            for (Headers headers :
                    List.of(tokens.session(), Headers.of("Authorization", "Bearer " + tokens.alice.token()))) {
                Files.writeString(tokens.file, tokens.alice.line());
                Supplier<String> events = tokens.get("/figures/stream", headers).events();
                assertThat(events.get()).startsWith("event: figures");
                Files.writeString(tokens.file, "");
                assertThatThrownBy(events::get).isInstanceOf(AdminProblem.class);
            }
        }
    }

    @Test
    void a_broken_token_file_lets_no_caller_in_and_tells_no_caller_where_it_is(@TempDir Path folder)
            throws IOException {
        try (Tokens tokens = new Tokens(folder)) {
            Files.writeString(tokens.file, "alice operator sha256:nonsense");
            AdminResponse response =
                    tokens.get("/figures", Headers.of("Authorization", "Bearer " + tokens.alice.token()));
            assertThat(response.status()).isEqualTo(500);
            assertThat(text(response)).doesNotContain("tokens", "nonsense");
        }
    }

    @Test
    void a_session_that_the_attacker_chose_is_none(@TempDir Path folder) throws IOException {
        try (Tokens tokens = new Tokens(folder)) {
            Headers chosen = Headers.of("Cookie", "semel-session=chosen");
            AdminResponse login = tokens.console.send(
                    "POST",
                    AdminApi.CALLS + "/login",
                    JSON.and(chosen),
                    "{\"token\":\"" + tokens.alice.token() + "\"}");
            assertThat(login.headers().first("Set-Cookie").orElseThrow()).doesNotContain("chosen");
            assertThat(tokens.get("/figures", chosen).status()).isEqualTo(401);
        }
    }

    @Test
    void no_client_opens_streams_without_end_and_closed_ones_make_room() {
        try (Console console = new Console()) {
            Supplier<String> first =
                    console.get("vera/viewer", "/figures/stream").events();
            for (int i = 1; i < OpenStreams.MOST; i++) {
                assertThat(console.get("vera/viewer", "/figures/stream").status())
                        .isEqualTo(200);
            }
            assertThat(codeOf(console.get("vera/viewer", "/figures/stream"))).isEqualTo("too_many_streams");
            console.nanos += 6_000_000_000L;
            assertThat(first.get()).startsWith("event: figures");
            console.nanos += 6_000_000_000L;
            for (int i = 1; i < OpenStreams.MOST; i++) {
                assertThat(console.get("vera/viewer", "/figures/stream").status())
                        .isEqualTo(200);
            }
            assertThat(codeOf(console.get("vera/viewer", "/figures/stream")))
                    .as("the first one is still read")
                    .isEqualTo("too_many_streams");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALICE/operator", " alice /operator", "\uff41lice/operator", "alice/administrator"})
    @DisplayName("I6: one person does not become two by another spelling of the name, or another role")
    void same_person(String again) {
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long fence = console.unknown("acme", "k");
            console.post("alice/operator", "/unknown/settle", didNotHappen(fence));
            AdminResponse second = console.post(again, "/unknown/settle", didNotHappen(fence));
            assertThat(json(second).requiredFlag("settled")).isFalse();
            assertThat(stateIn(console)).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    @DisplayName("I6: a name that looks like an address to the audit does not agree with itself")
    void name_that_ends_like_an_address() {
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long fence = console.unknown("acme", "k");
            console.post("mail from/operator", "/unknown/settle", didNotHappen(fence));
            AdminResponse second = console.post("mail from/operator", "/unknown/settle", didNotHappen(fence));
            assertThat(json(second).requiredFlag("settled")).isFalse();
            assertThat(stateIn(console)).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    @DisplayName("I6: of several people who agree at once, one settles")
    void agree_at_once() throws Exception {
        ExecutorService people = Executors.newFixedThreadPool(4);
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long fence = console.unknown("acme", "k");
            console.post("alice/operator", "/unknown/settle", didNotHappen(fence));
            CountDownLatch start = new CountDownLatch(1);
            List<Future<AdminResponse>> answers = new ArrayList<>();
            for (String name : List.of("bob", "carol", "dave", "erin")) {
                answers.add(people.submit(() -> {
                    start.await();
                    return console.post(name + "/operator", "/unknown/settle", didNotHappen(fence));
                }));
            }
            start.countDown();
            int settled = 0;
            for (Future<AdminResponse> answer : answers) {
                AdminResponse response = answer.get();
                if (response.status() == 200 && !json(response).requiredFlag("already")) {
                    settled++;
                }
            }
            assertThat(settled).isEqualTo(1);
            assertThat(stateIn(console)).isEqualTo(State.FAILED_RETRYABLE);
        } finally {
            people.shutdownNow();
        }
    }

    @Test
    @DisplayName("I2: who forgets names the attempt, and a later one is not forgotten")
    void forget_of_an_earlier_attempt() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            console.post("alice/operator", "/unknown/settle", didNotHappen(fence));
            long next = console.completed("acme", "k", "paid");
            String earlier = "{\"scope\":\"acme\",\"key\":\"k\",\"fence\":" + fence + ",\"reason\":\"r\"}";
            assertThat(codeOf(console.post("ada/administrator", "/records/forget", earlier)))
                    .isEqualTo("fence_changed");
            assertThat(codeOf(console.post("ada/administrator", "/records/response", earlier)))
                    .isEqualTo("fence_changed");
            assertThat(console.fence("acme", "k")).isEqualTo(next);
            assertThat(console.retry("acme", "k")).isInstanceOf(Claim.Recorded.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/../v1/figures",
                "//api/v1/figures",
                "/api/v1//figures",
                "/api/v1/figures/",
                "/API/v1/figures",
                "/api/v1/figures;x",
                "/api/v1/%66igures",
                "/console/../api/v1/figures",
                "/console/..%2fapi/v1/figures",
                "/login/../api/v1/figures"
            })
    void no_other_spelling_of_a_path_leads_to_a_call(String path) {
        try (Console console = new Console()) {
            for (Headers headers : List.of(Headers.NONE, Headers.of("X-Test-Caller", "ada/administrator"))) {
                AdminResponse response = console.send("GET", path, headers, "");
                assertThat(response.status()).isEqualTo(404);
                assertThat(text(response)).doesNotContain("inProgress");
            }
        }
    }

    @Test
    void no_header_makes_a_request_another_one() {
        try (Console console = new Console()) {
            Headers tricks = Headers.of("X-HTTP-Method-Override", "GET")
                    .with("X-Original-URL", "/semel/api/v1/session")
                    .with("X-Rewrite-URL", "/semel/api/v1/session")
                    .with("X-Forwarded-For", "127.0.0.1")
                    .with("X-Forwarded-Host", "localhost")
                    .with("X-Forwarded-User", "ada");
            for (String method : List.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "get")) {
                AdminResponse response = console.send(method, AdminApi.CALLS + "/figures", tricks, "");
                assertThat(response.status()).as(method).isIn(401, 405);
                assertThat(response.headers().first("Access-Control-Allow-Origin"))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1\n1\nacme\nk",
                "9223372036854775807\n1\nacme\nk",
                "-9223372036854775808\n1\nacme\nk",
                "1\n1\n\nk",
                "1\n1\nacme\n",
                "1\nx\nacme\nk",
                "1\n1\nacme\nk\nmore"
            })
    void a_cursor_that_no_page_gave_is_refused(String plain) {
        String cursor = Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
        try (Console console = new Console()) {
            AdminResponse response = console.post("vera/viewer", "/records/search", "{\"cursor\":\"" + cursor + "\"}");
            assertThat(response.status()).isEqualTo(400);
        }
    }

    @Test
    void half_a_character_is_refused_before_any_store_sees_it() {
        try (Console console = new Console()) {
            for (String member : List.of("scope", "operation", "key", "keyPrefix")) {
                AdminResponse response =
                        console.post("vera/viewer", "/records/search", "{\"" + member + "\":\"a\\ud800\"}");
                assertThat(response.status()).as(member).isEqualTo(400);
            }
        }
    }
}
