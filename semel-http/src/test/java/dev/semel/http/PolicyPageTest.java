package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The published policy")
class PolicyPageTest {

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();

    private final RoutePolicy payments = RoutePolicy.of(Operation.named("create-payment")
                    .retention(Retention.PAYMENT)
                    .waitUpTo(Duration.ofSeconds(2))
                    .failures(Failures.RECONCILE))
            .semanticFields("/amount", "/<b>")
            .fingerprintHeaders("X-Currency")
            .keyRules(KeyRules.NONE.requireUuid())
            .build();

    private final Routes routes = Routes.builder()
            .unprotected("POST", "/payments/search")
            .protect("POST, PUT", "/payments/**", payments)
            .protect("POST", "/charges", payments)
            .protect(
                    "*",
                    "*",
                    RoutePolicy.of(Operation.named("rest")).keyFromContent().build())
            .build();

    @AfterEach
    void close() {
        semel.close();
    }

    private GateBuilder gate() {
        return Gate.on(semel, routes, ScopeStrategy.fixed(Scope.GLOBAL));
    }

    private static RequestView get(String path, String accept) {
        return RequestView.of("GET", path).headers(Headers.of("Accept", accept)).build();
    }

    private static Answer published(Gate gate, String accept) {
        return ((Admission.Reply) gate.admit(get("/idempotency/policy", accept))).answer();
    }

    private static String text(Answer answer) {
        return new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void is_not_published_unless_its_path_is_set() {
        assertThat(gate().build().admit(get("/idempotency/policy", "*/*"))).isInstanceOf(Admission.PassThrough.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gate().policyPath("policy"))
                .withMessageContaining("/idempotency/policy");
    }

    @Test
    void says_of_each_operation_what_a_client_must_know() {
        Answer answer = published(gate().policyPath("/idempotency/policy").build(), "application/json");
        assertThat(answer.headers().all("Content-Type")).containsExactly("application/json");
        assertThat(text(answer))
                .startsWith("{\"specification\":\"https://datatracker.ietf.org/")
                .contains("\"key_header\":\"Idempotency-Key\",\"status_path\":\"/idempotency/status\"")
                .contains("""
                        {"operation":"create-payment",\
                        "routes":[{"methods":["POST","PUT"],"path":"/payments/**"},{"methods":["POST"],"path":"/charges"}],\
                        "profile":"standard",\
                        "key":{"mode":"required","header":"Idempotency-Key",\
                        "syntax":"a quoted string (RFC 9651) or bare text","uuid":true,"min_length":1,"max_length":255},\
                        "retention":"PT168H",\
                        "in_progress":{"status":409,"wait":"PT2S"},\
                        "mismatch_status":422,\
                        "fingerprint":{"parts":["method","path","query","media type","body"],\
                        "headers":["x-currency"],"fields":["/amount","/<b>"]},\
                        "replayed":{"header":"Idempotency-Replayed","not_executed_statuses":[401,403,425,429],\
                        "failures":"reconcile","max_body_bytes":1048576},\
                        "late_retries":"by_key"}""")
                .contains("{\"operation\":\"rest\",\"routes\":[{\"methods\":[\"*\"],\"path\":\"*\"}]")
                .contains("\"key\":{\"mode\":\"derived\"}")
                .doesNotContain("/payments/search");
    }

    @Test
    void is_a_page_without_scripts_where_a_browser_asks() {
        Answer answer = published(
                gate().policyPath("/idempotency/policy").build(), "text/html,application/xhtml+xml,*/*;q=0.8");
        assertThat(answer.headers().all("Content-Type")).containsExactly("text/html; charset=utf-8");
        assertThat(answer.headers().all("Vary")).containsExactly("Accept");
        assertThat(answer.headers().all("Content-Security-Policy"))
                .containsExactly("default-src 'none'; style-src 'unsafe-inline'");
        assertThat(text(answer))
                .contains(
                        "<h2>create-payment</h2>",
                        "/&lt;b&gt;",
                        "7 days",
                        "after up to 2 seconds",
                        "every method that is not safe on every path",
                        "<code>/charges</code>")
                .doesNotContain("/<b>", "<script", "http://", "https://", "src=");
    }

    @Test
    void is_what_problems_link_to_unless_there_is_a_page_of_the_application() {
        RequestView unkeyed = RequestView.of("POST", "/app/charges")
                .basePath("/app")
                .routingPath("/charges")
                .build();
        Gate published = gate().policyPath("/idempotency/policy").build();
        assertThat(((Admission.Reply) published.admit(unkeyed))
                        .answer()
                        .headers()
                        .all("Link"))
                .containsExactly("</app/idempotency/policy>; rel=\"describedby\"");
        Gate documented = gate().policyPath("/idempotency/policy")
                .documentation(URI.create("https://example.org/keys"))
                .build();
        assertThat(((Admission.Reply) documented.admit(unkeyed))
                        .answer()
                        .headers()
                        .all("Link"))
                .containsExactly("<https://example.org/keys>; rel=\"describedby\"");
    }
}
