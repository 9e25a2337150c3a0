package dev.semel.admin;

import static dev.semel.admin.Console.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Scope;
import dev.semel.admin.json.JsonObject;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.HandlerResult;
import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The client gets from the gate what operators were shown")
class ClientGetsTest {

    private static final String NAMED = "{\"scope\":\"acme\",\"key\":\"k\"";

    private final Console console = new Console();
    private final RoutePolicy policy = RoutePolicy.of(Console.PAYMENT).build();
    private final Gate gate = Gate.on(
                    console.semel,
                    Routes.builder().protect("POST", "*", policy).build(),
                    ScopeStrategy.fixed(new Scope("acme")))
            .build();

    @AfterEach
    void close() {
        console.close();
    }

    private Decision request() {
        return gate.claim(
                policy,
                RequestView.of("POST", "/payments")
                        .headers(Headers.of("Idempotency-Key", "k"))
                        .build());
    }

    private Answer answer() {
        return ((Decision.Reply) request()).answer();
    }

    private void execute(HandlerResult result) {
        ((Decision.Proceed) request())
                .run()
                .settle(result)
                .toCompletableFuture()
                .join();
    }

    private long unknown() {
        execute(new HandlerResult.Undetermined("the provider did not answer"));
        return console.fence("acme", "k");
    }

    /** Headers of the answer to one request; the page of a record shows what is the same for all. */
    private static final Set<String> SET_ANEW = Set.of("Idempotency-Key", "Idempotency-Expires", "Idempotency-Age");

    private static void assertSame(JsonObject shown, Answer got) {
        assertThat(shown.requiredNumber("status", 0, 999)).isEqualTo(got.status());
        assertThat(shown.pairs("headers", 100))
                .isEqualTo(RecordView.headers(got.headers()).stream()
                        .filter(header -> !SET_ANEW.contains(header.get(0)))
                        .toList());
    }

    private static byte[] bodyIn(JsonObject shown) {
        String base64 = shown.text("bodyBase64", 10_000);
        return base64 != null
                ? Base64.getDecoder().decode(base64)
                : String.valueOf(shown.text("body", 10_000)).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status\":201,\"headers\":[[\"Location\",\"/p/7\"],[\"X-A\",\"1\"],[\"X-A\",\"2\"]],\"body\":\"paid, \u20ac\"}",
                "{\"status\":200,\"headers\":[[\"Content-Type\",\"image/png\"]],\"bodyBase64\":\"iVBORw==\"}",
                "{\"status\":402,\"headers\":[],\"body\":\"\"}",
                "{\"status\":204}"
            })
    void after_a_settlement_as_in_its_preview(String response) {
        String settlement = NAMED + ",\"fence\":" + unknown()
                + ",\"happened\":true,\"reason\":\"statement 7\",\"response\":" + response + "}";
        JsonObject preview = json(console.post("alice/operator", "/unknown/settle/preview", settlement));
        assertThat(json(console.post("alice/operator", "/unknown/settle", settlement))
                        .requiredFlag("settled"))
                .isTrue();
        Answer got = answer();
        assertSame(preview, got);
        assertThat(bodyIn(preview)).isEqualTo(got.body().bytes());
    }

    @Test
    void what_no_client_could_get_as_it_was_shown_is_refused() {
        long fence = unknown();
        for (String response : List.of(
                "{\"status\":204,\"body\":\"x\"}",
                "{\"status\":304,\"body\":\"x\"}",
                "{\"status\":200,\"headers\":[[\"X-A\",\"\u20ac\"]]}",
                "{\"status\":200,\"headers\":[[\"X-A\",\" padded \"]]}",
                "{\"status\":200,\"body\":\"\\ud800\"}")) {
            for (String path : List.of("/unknown/settle/preview", "/unknown/settle")) {
                String settlement = NAMED + ",\"fence\":" + fence + ",\"happened\":true,\"reason\":\"r\",\"response\":"
                        + response + "}";
                assertThat(console.post("alice/operator", path, settlement).status())
                        .as(response)
                        .isEqualTo(400);
            }
        }
    }

    private JsonObject retryGets() {
        return json(console.post("vera/viewer", "/records/get", NAMED + "}")).object("retryGets");
    }

    private void assertRefusedAsShown(String explained) {
        JsonObject shown = retryGets();
        Answer got = answer();
        assertThat(shown.requiredFlag("executes")).isFalse();
        assertSame(shown, got);
        assertThat(new String(got.body().bytes(), StandardCharsets.UTF_8))
                .contains("\"code\":\"" + shown.requiredText("code", 100) + "\"");
        assertThat(shown.requiredText("explanation", 200)).contains(explained);
    }

    @Test
    void in_progress_as_the_page_of_the_record_says() {
        assertThat(request()).isInstanceOf(Decision.Proceed.class);
        assertRefusedAsShown("while the attempt runs");
    }

    @Test
    void unknown_as_the_page_of_the_record_says() {
        unknown();
        assertRefusedAsShown("until the outcome is settled");
    }

    @Test
    void completed_without_its_response_as_the_page_of_the_record_says() {
        execute(new HandlerResult.TooLarge(200, Headers.NONE));
        assertRefusedAsShown("its response was not kept");
    }

    @Test
    void completed_as_the_page_of_the_record_says() {
        execute(new HandlerResult.Responded(201, Headers.of("Location", "/p/7"), Body.ofText("paid"), null));
        JsonObject shown = retryGets();
        assertSame(shown, answer());
        assertThat(shown.requiredText("explanation", 200)).contains("replayed");
    }

    @Test
    void a_response_with_trailers_comes_with_a_warning_for_transports_that_send_none() {
        Headers trailers = Headers.of("grpc-status", "0");
        execute(new HandlerResult.Responded(200, Headers.NONE, Body.ofText("hi"), null, trailers));
        assertThat(retryGets().requiredText("explanation", 200)).contains("answers 409");
        assertThat(answer().status()).isEqualTo(409);
    }

    @Test
    void forgotten_the_next_request_executes_as_the_page_of_the_record_says() {
        execute(new HandlerResult.Responded(201, Headers.NONE, Body.ofText("paid"), null));
        long fence = console.fence("acme", "k");
        console.post("ada/administrator", "/records/forget", NAMED + ",\"fence\":" + fence + ",\"reason\":\"r\"}");
        assertThat(retryGets().requiredFlag("executes")).isTrue();
        assertThat(request()).isInstanceOf(Decision.Proceed.class);
    }
}
