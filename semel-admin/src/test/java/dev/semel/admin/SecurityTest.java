package dev.semel.admin;

import static dev.semel.admin.Console.codeOf;
import static dev.semel.admin.Console.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.access.Role;
import dev.semel.admin.access.TokenFile;
import dev.semel.http.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries every endpoint of the table: one that is added is tried as well. */
@DisplayName("The admin API keeps others out")
class SecurityTest {

    private static final Set<String> OPEN = Set.of("/session", "/login", "/logout", "/openapi.json");
    private static final String XSS = "\"><script>alert(1)</script><img src=x onerror=alert(2)>&lt;";

    private final Console console = new Console();
    private long fence;

    @AfterEach
    void close() {
        console.close();
    }

    /** A body that every call would accept from a caller who may make it. */
    private String bodyOf(Endpoint endpoint) {
        if (fence == 0) {
            fence = console.unknown("acme", "k");
        }
        String named = "\"scope\":\"acme\",\"key\":\"k\"";
        return switch (endpoint.path()) {
            case "/login" -> "{\"token\":\"guess\"}";
            case "/records/get" -> "{" + named + "}";
            case "/records/step" -> "{" + named + ",\"fence\":" + fence + ",\"reason\":\"r\",\"step\":\"reserve\"}";
            case "/records/response", "/records/forget", "/unknown/requeue", "/unknown/note" ->
                "{" + named + ",\"fence\":" + fence + ",\"reason\":\"r\"}";
            case "/unknown/settle", "/unknown/settle/preview" ->
                "{" + named + ",\"fence\":" + fence + ",\"reason\":\"r\",\"happened\":false}";
            case "/unknown/bulk" ->
                "{\"action\":\"settle\",\"happened\":false,\"dryRun\":false,\"reason\":\"r\",\"records\":[{" + named
                        + ",\"fence\":" + fence + "}]}";
            case "/prune" -> "{\"reason\":\"r\"}";
            default -> "{}";
        };
    }

    private AdminResponse call(Endpoint endpoint, Headers headers) {
        boolean post = endpoint.method().equals("POST");
        Headers all = post && headers.first("Content-Type").isEmpty()
                ? headers.with("Content-Type", "application/json")
                : headers;
        return console.send(endpoint.method(), AdminApi.CALLS + endpoint.path(), all, post ? bodyOf(endpoint) : "");
    }

    private void assertUntouched() {
        if (fence != 0) {
            assertThat(console.semel
                            .find(Identity.of("acme", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.UNKNOWN);
            assertThat(console.semel.unknownOutcomes().history(Identity.of("acme", "k")))
                    .hasSize(2);
        }
    }

    /** A call that is added is added here, and in {@link #bodyOf} with a body that it would accept. */
    @Test
    void the_calls_are_these_and_no_others() {
        assertThat(console.api.endpoints())
                .extracting(endpoint -> endpoint.method() + " " + endpoint.path())
                .containsExactlyInAnyOrder(
                        "GET /session",
                        "POST /login",
                        "POST /logout",
                        "GET /openapi.json",
                        "GET /figures",
                        "GET /figures/stream",
                        "GET /misuse",
                        "GET /operations",
                        "GET /health",
                        "GET /doctor",
                        "POST /records/search",
                        "POST /records/get",
                        "POST /records/response",
                        "POST /records/step",
                        "POST /records/forget",
                        "POST /prune",
                        "POST /unknown/search",
                        "POST /unknown/settle/preview",
                        "POST /unknown/settle",
                        "POST /unknown/requeue",
                        "POST /unknown/note",
                        "POST /unknown/bulk");
        for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
            for (String path :
                    List.of("/", "/api", "/api/v1", "/api/v1/", "/api/v1/records", "/api/v2/figures", "/x")) {
                AdminResponse response =
                        console.send(method, path, Headers.of("X-Test-Caller", "ada/administrator"), "{}");
                assertThat(response.status()).as(method + " " + path).isIn(302, 404, 405);
            }
        }
    }

    @Test
    void no_call_but_the_open_ones_is_answered_without_login() {
        for (Endpoint endpoint : console.api.endpoints()) {
            AdminResponse response = call(endpoint, Headers.NONE);
            if (OPEN.contains(endpoint.path())) {
                assertThat(endpoint.role()).as(endpoint.path()).isNull();
            } else {
                assertThat(response.status()).as(endpoint.path()).isEqualTo(401);
            }
            assertThat(text(response)).as(endpoint.path()).doesNotContain("acme");
        }
        assertUntouched();
    }

    @Test
    void no_role_may_do_more_than_its_own() {
        for (Role role : Role.values()) {
            for (Endpoint endpoint : console.api.endpoints()) {
                Role needed = endpoint.role();
                if (needed != null && !role.includes(needed)) {
                    AdminResponse response = call(endpoint, Headers.of("X-Test-Caller", "eve/" + role.label()));
                    assertThat(response.status())
                            .as(role + " " + endpoint.path())
                            .isEqualTo(403);
                    assertThat(codeOf(response)).isEqualTo("role_missing");
                }
            }
        }
        assertUntouched();
    }

    @Test
    void every_call_that_changes_a_record_is_refused_where_the_console_is_read_only() {
        try (Console readOnly = new Console(builder -> builder)) {
            List<String> refused = new ArrayList<>();
            for (Endpoint endpoint : readOnly.api.endpoints()) {
                AdminResponse response = readOnly.post("ada/administrator", endpoint.path(), "{}");
                if (endpoint.method().equals("POST") && response.status() == 403) {
                    assertThat(codeOf(response)).isEqualTo("read_only");
                    refused.add(endpoint.path());
                }
            }
            assertThat(refused)
                    .containsExactlyInAnyOrder(
                            "/records/forget",
                            "/prune",
                            "/unknown/settle",
                            "/unknown/requeue",
                            "/unknown/note",
                            "/unknown/bulk");
        }
    }

    @Test
    void a_page_of_another_site_gets_nothing_whatever_it_sends() {
        List<Headers> forged = List.of(
                Headers.of("Origin", "https://evil.test"),
                Headers.of("Origin", "null"),
                Headers.of("Origin", "http://" + Console.HOST + ".evil.test"),
                Headers.of("Origin", "http://console.test:8091"),
                Headers.of("Origin", "not a uri at all"),
                Headers.of("Sec-Fetch-Site", "cross-site"),
                Headers.of("Sec-Fetch-Site", "same-site"),
                Headers.of("Sec-Fetch-Site", "cross-site").with("Origin", "http://" + Console.HOST));
        for (Endpoint endpoint : console.api.endpoints()) {
            for (Headers headers : forged) {
                AdminResponse response = call(endpoint, headers.with("X-Test-Caller", "ada/administrator"));
                assertThat(response.status())
                        .as(endpoint.path() + " " + headers.lines())
                        .isEqualTo(403);
                assertThat(response.headers().first("Access-Control-Allow-Origin"))
                        .isEmpty();
            }
        }
        assertUntouched();
    }

    @Test
    void a_form_gets_nothing() {
        for (Endpoint endpoint : console.api.endpoints()) {
            if (endpoint.method().equals("POST")) {
                for (String type : List.of(
                        "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "")) {
                    AdminResponse response = call(
                            endpoint,
                            Headers.of("X-Test-Caller", "ada/administrator").with("Content-Type", type));
                    assertThat(response.status())
                            .as(endpoint.path() + " " + type)
                            .isEqualTo(415);
                }
                AdminResponse asGet = console.send(
                        "GET", AdminApi.CALLS + endpoint.path(), Headers.of("X-Test-Caller", "ada/administrator"), "");
                assertThat(asGet.status()).isEqualTo(405);
            }
        }
        assertUntouched();
    }

    @Test
    void a_console_without_login_answers_only_to_names_of_loopback() {
        try (Console open = new Console(Authenticator.none("local"), builder -> builder.loopbackOnly(true))) {
            for (String path : List.of(AdminApi.CALLS + "/records/search", "/console/")) {
                AdminResponse response = open.api.handle(new AdminRequest(
                        "POST", path, Headers.of("Host", "rebound.evil.test:8090"), new byte[0], "127.0.0.1", false));
                assertThat(codeOf(response)).as(path).isEqualTo("wrong_host");
            }
            for (String host : List.of("localhost:8090", "127.0.0.1:8090", "[::1]:8090", "LOCALHOST")) {
                AdminResponse response = open.api.handle(new AdminRequest(
                        "GET", AdminApi.CALLS + "/session", Headers.of("Host", host), new byte[0], "127.0.0.1", false));
                assertThat(response.status()).as(host).isEqualTo(200);
            }
        }
    }

    @Test
    void what_could_be_markup_stays_text_in_every_field() {
        long known = console.completed(XSS, XSS, XSS);
        String caller = "ada/administrator";
        String named = "{\"scope\":" + Console.quoted(XSS) + ",\"key\":" + Console.quoted(XSS);
        String reason = ",\"fence\":" + known + ",\"reason\":" + Console.quoted(XSS) + "}";
        List<AdminResponse> responses = List.of(
                console.post(caller, "/records/search", "{}"),
                console.post(caller, "/records/search", named + "}"),
                console.post(caller, "/records/get", named + "}"),
                console.post(caller, "/records/response", named + reason),
                console.post(caller, "/records/search", "{" + Console.quoted(XSS) + ":1}"),
                console.post(caller, "/records/forget", named + reason),
                console.post(caller, "/records/get", named + "}"),
                console.post(caller, "/unknown/settle", "{\"action\":" + Console.quoted(XSS) + "}"),
                console.get(caller, "/" + XSS),
                console.send("GET", "/console/" + XSS, Headers.NONE, ""));
        for (AdminResponse response : responses) {
            assertThat(text(response)).doesNotContain("<", ">");
            assertThat(response.headers().first("Content-Type").orElse("")).contains("json");
            assertThat(response.headers().first("X-Content-Type-Options")).contains("nosniff");
        }
    }

    @Test
    void no_path_leads_out_of_the_folder_of_the_console() {
        for (String path : List.of(
                "/console/../openapi.json",
                "/console/..%2fopenapi.json",
                "/console/%2e%2e/openapi.json",
                "/console/..\\openapi.json",
                "/console//etc/passwd",
                "/console/./index.html",
                "/console/vendor/../../openapi.json",
                "/console/.hidden.js",
                "/console/index.html%00.js",
                "/console/index.class",
                "/console/" + "a/".repeat(5000) + "x.js",
                "/../semel/console/",
                "/consolex/index.html")) {
            AdminResponse response = console.send("GET", path, Headers.NONE, "");
            assertThat(response.status()).as(path).isEqualTo(404);
            assertThat(text(response)).doesNotContain("openapi\":", "root:");
        }
        assertThat(console.send("GET", "/console/", Headers.NONE, "").status()).isEqualTo(200);
        assertThat(console.send("POST", "/console/index.html", Headers.NONE, "").status())
                .isEqualTo(405);
    }

    @Test
    void too_much_is_refused() {
        String caller = "ada/administrator";
        String large = "x".repeat(300);
        for (String body : List.of(
                "{\"limit\":201}",
                "{\"limit\":0}",
                "{\"limit\":1e30}",
                "{\"limit\":\"50\"}",
                "{\"scope\":\"" + large + "\"}",
                "{\"keyPrefix\":\"" + large + "\"}",
                "{\"states\":[\"unknown\",\"unknown\",\"unknown\",\"unknown\",\"unknown\",\"unknown\"]}",
                "{\"states\":[\"none\"]}",
                "{\"cursor\":\"" + "A".repeat(5000) + "\"}",
                "{\"cursor\":\"bm9uc2Vuc2U\"}",
                "{\"olderThanMs\":-1}",
                "{\"olderThanMs\":9223372036854775807}",
                "[".repeat(10_000),
                "{\"limit\":1,\"limit\":2}",
                "{\"scope\":\"a\\u0000b\"}",
                "")) {
            AdminResponse response = console.post(caller, "/records/search", body);
            assertThat(response.status())
                    .as(body.substring(0, Math.min(60, body.length())))
                    .isEqualTo(400);
        }
        String reason = "{\"scope\":\"acme\",\"key\":\"k\",\"fence\":1,\"reason\":\"" + "r".repeat(801) + "\"}";
        assertThat(console.post(caller, "/records/forget", reason).status()).isEqualTo(400);
        String records = "{\"scope\":\"a\",\"key\":\"b\",\"fence\":1},".repeat(200)
                + "{\"scope\":\"a\",\"key\":\"b\",\"fence\":1}";
        String bulk = "{\"action\":\"requeue\",\"dryRun\":true,\"reason\":\"r\",\"records\":[" + records + "]}";
        assertThat(console.post(caller, "/unknown/bulk", bulk).status()).isEqualTo(400);
        String huge = "{\"scope\":\"" + "x".repeat(AdminRequest.MAX_BODY) + "\"}";
        assertThat(console.post(caller, "/records/search", huge).status()).isEqualTo(413);
    }

    @Test
    void every_response_has_the_headers_that_protect_a_page() {
        List<AdminResponse> responses = new ArrayList<>();
        for (Endpoint endpoint : console.api.endpoints()) {
            responses.add(call(endpoint, Headers.NONE));
            responses.add(call(endpoint, Headers.of("X-Test-Caller", "ada/administrator")));
        }
        responses.add(console.send("GET", "/console/", Headers.NONE, ""));
        responses.add(console.send("GET", "/console/none", Headers.NONE, ""));
        for (AdminResponse response : responses) {
            String policy = response.headers().first("Content-Security-Policy").orElse("");
            assertThat(policy)
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(response.headers().first("Referrer-Policy")).contains("no-referrer");
            assertThat(response.headers().first("Cache-Control")).isPresent();
        }
    }

    @Test
    void a_token_logs_in_by_cookie_and_by_header_and_a_deleted_line_logs_out(@TempDir Path folder) throws IOException {
        TokenFile.Made made = TokenFile.make("alice", Role.OPERATOR);
        Path file = Files.writeString(folder.resolve("tokens"), "# people\n" + made.line() + "\n");
        assertThat(made.line()).doesNotContain(made.token());
        try (Console tokens = new Console(new TokenFile(file), builder -> builder.writes(true))) {
            Headers json = Headers.of("Content-Type", "application/json");
            AdminResponse login =
                    tokens.send("POST", AdminApi.CALLS + "/login", json, "{\"token\":\"" + made.token() + "\"}");
            String cookie = login.headers().first("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/semel");
            Headers session = Headers.of("Cookie", "other=1; " + cookie.substring(0, cookie.indexOf(';')));
            assertThat(text(tokens.send("GET", AdminApi.CALLS + "/session", session, "")))
                    .contains("\"name\":\"alice\"", "\"role\":\"operator\"");
            Headers bearer = Headers.of("Authorization", "Bearer " + made.token());
            assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", bearer, "")
                            .status())
                    .isEqualTo(200);
            tokens.send("POST", AdminApi.CALLS + "/logout", json.and(session), "{}");
            assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", session, "")
                            .status())
                    .isEqualTo(401);
            Files.writeString(file, "");
            assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", bearer, "")
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void log_ins_that_fail_too_often_are_not_tried_until_a_minute_has_passed(@TempDir Path folder) throws IOException {
        TokenFile.Made made = TokenFile.make("alice", Role.VIEWER);
        Path file = Files.writeString(folder.resolve("tokens"), made.line());
        try (Console tokens = new Console(new TokenFile(file), builder -> builder)) {
            Headers wrong = Headers.of("Authorization", "Bearer guess");
            Headers right = Headers.of("Authorization", "Bearer " + made.token());
            for (int i = 0; i < 5; i++) {
                assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", wrong, "")
                                .status())
                        .isEqualTo(401);
            }
            assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", right, "")
                            .status())
                    .isEqualTo(429);
            Headers json = Headers.of("Content-Type", "application/json");
            String login = "{\"token\":\"" + made.token() + "\"}";
            assertThat(tokens.send("POST", AdminApi.CALLS + "/login", json, login)
                            .status())
                    .isEqualTo(429);
            tokens.nanos += 61_000_000_000L;
            assertThat(tokens.send("GET", AdminApi.CALLS + "/figures", right, "")
                            .status())
                    .isEqualTo(200);
        }
    }
}
