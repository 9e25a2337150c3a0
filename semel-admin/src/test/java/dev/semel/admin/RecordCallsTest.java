package dev.semel.admin;

import static dev.semel.admin.Console.codeOf;
import static dev.semel.admin.Console.json;
import static dev.semel.admin.Console.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.json.JsonObject;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.RecordSearch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The admin API about records")
class RecordCallsTest {

    private static final String VIEWER = "vera/viewer";
    private static final String OPERATOR = "oscar/operator";
    private static final String ADMINISTRATOR = "ada/administrator";

    private final Console console = new Console();

    @AfterEach
    void close() {
        console.close();
    }

    private List<AuditEntry> audit(String key) {
        return console.semel.unknownOutcomes().history(Identity.of("acme", key));
    }

    private static String named(String key, long fence) {
        return "{\"scope\":\"acme\",\"key\":\"" + key + "\",\"fence\":" + fence + ",\"reason\":\"ticket 7\"}";
    }

    @Test
    void searches_page_by_page_newest_first() {
        for (int i = 0; i < 5; i++) {
            console.completed("acme", "order-" + i, "body");
        }
        List<String> keys = new ArrayList<>();
        String cursor = null;
        do {
            String body = "{\"limit\":2" + (cursor == null ? "" : ",\"cursor\":\"" + cursor + "\"") + "}";
            JsonObject page = json(console.post(VIEWER, "/records/search", body));
            page.objects("records", 2).forEach(record -> keys.add(record.requiredText("key", 100)));
            cursor = page.text("nextCursor", 1000);
            assertThat(page.requiredFlag("complete")).isTrue();
            assertThat(page.object("cost").requiredNumber("examined", 1, 100)).isPositive();
        } while (cursor != null);
        assertThat(keys).containsExactly("order-4", "order-3", "order-2", "order-1", "order-0");
    }

    @Test
    void a_dead_letter_behind_more_unknown_outcomes_than_are_counted_is_counted() {
        for (int i = 0; i <= RecordSearch.MAX_LIMIT; i++) {
            console.unknown("acme", "lost-" + i);
        }
        console.dead("acme", "last");

        JsonObject figures = json(console.get(VIEWER, "/figures"));

        assertThat(figures.requiredNumber("unknown", 0, 10_000)).isEqualTo(RecordSearch.MAX_LIMIT);
        assertThat(figures.requiredNumber("deadLetters", 0, 10_000)).isEqualTo(1);
        assertThat(figures.requiredFlag("countsStopped")).isTrue();
    }

    @Test
    void replays_are_those_that_this_process_has_seen() {
        console.completed("acme", "k", "body");
        assertThat(json(console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"k\"}"))
                        .object("replays")
                        .requiredNumber("count", 0, 10))
                .isZero();
        console.retry("acme", "k");
        console.retry("acme", "k");
        JsonObject replays = json(console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"k\"}"))
                .object("replays");
        assertThat(replays.requiredNumber("count", 0, 10)).isEqualTo(2);
        assertThat(replays.text("first", 100)).isNotNull();
        assertThat(replays.text("last", 100)).isNotNull();
        assertThat(audit("k")).hasSize(2);
    }

    @Test
    void a_misspelt_filter_is_refused_and_does_not_find_everything() {
        AdminResponse response = console.post(VIEWER, "/records/search", "{\"scopes\":\"acme\"}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(text(response)).contains("scopes");
    }

    @Test
    void a_record_is_shown_with_its_audit_and_what_a_retry_gets_and_without_the_body() {
        console.completed("acme", "k", "card 4242");
        AdminResponse response = console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"k\"}");
        JsonObject record = json(response);
        assertThat(text(response)).doesNotContain("card 4242");
        assertThat(record.object("response").requiredFlag("bodyMasked")).isTrue();
        assertThat(record.object("response").requiredNumber("status", 0, 999)).isEqualTo(201);
        assertThat(record.objects("audit", 10)).hasSize(2);
        assertThat(record.objects("attempts", 10)).hasSize(1);
        assertThat(record.object("retryGets").requiredNumber("status", 0, 999)).isEqualTo(201);
        assertThat(audit("k")).hasSize(2);
    }

    @Test
    void a_body_is_shown_to_operators_and_the_audit_knows_it_first() {
        long fence = console.completed("acme", "k", "card 4242");
        AdminResponse refused = console.post(VIEWER, "/records/response", named("k", fence));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(text(refused)).doesNotContain("card 4242");
        AdminResponse shown = console.post(OPERATOR, "/records/response", named("k", fence));
        assertThat(json(shown).requiredText("body", 100)).isEqualTo("card 4242");
        AuditEntry entry = audit("k").get(2);
        assertThat(entry.change()).isEqualTo(Change.VIEWED);
        assertThat(entry.who()).isEqualTo("person:oscar from 203.0.113.7");
        assertThat(entry.why()).isEqualTo("ticket 7");
    }

    @Test
    void a_step_of_an_unknown_outcome_is_shown_to_operators_and_the_audit_knows_it_first() {
        long fence = console.unknownAfterStep("acme", "k", "reserve-seat", "seat 12A");
        AdminResponse record = console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"k\"}");
        assertThat(text(record)).contains("\"kept\":true").doesNotContain("12A");
        assertThat(console.post(VIEWER, "/records/step", step("reserve-seat", fence))
                        .status())
                .isEqualTo(403);
        assertThat(codeOf(console.post(OPERATOR, "/records/step", step("pay", fence))))
                .isEqualTo("no_such_step");
        assertThat(codeOf(console.post(OPERATOR, "/records/step", step("reserve-seat", fence + 1))))
                .isEqualTo("fence_changed");
        assertThat(audit("k")).as("nothing was shown so far").hasSize(3);

        AdminResponse shown = console.post(OPERATOR, "/records/step", step("reserve-seat", fence));

        assertThat(json(shown).requiredText("body", 100)).isEqualTo("seat 12A");
        assertThat(audit("k").get(3).change()).isEqualTo(Change.VIEWED);
        assertThat(audit("k").get(3).who()).isEqualTo("person:oscar from 203.0.113.7");
        assertThat(audit("k").get(3).why()).isEqualTo("step reserve-seat: ticket 7");
    }

    private static String step(String name, long fence) {
        return named("k", fence).replaceFirst("}$", ",\"step\":\"" + name + "\"}");
    }

    @Test
    void the_response_of_an_unknown_outcome_is_refused_and_the_audit_does_not_say_that_it_was_read() {
        long fence = console.unknown("acme", "k");
        assertThat(codeOf(console.post(OPERATOR, "/records/response", named("k", fence))))
                .isEqualTo("record_unknown");
        assertThat(audit("k")).hasSize(2);
    }

    @Test
    void a_result_that_is_no_http_response_is_not_called_a_refusal() {
        Claim.Granted granted = (Claim.Granted) console.retry("acme", "webhook");
        granted.attempt().settleAndWait(new Outcome.Completed(Response.of(new byte[] {1})));
        JsonObject gets = json(console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"webhook\"}"))
                .object("retryGets");
        assertThat(gets.requiredFlag("executes")).isFalse();
        assertThat(gets.names()).doesNotContain("status", "code");
        assertThat(gets.requiredText("explanation", 200)).contains("no HTTP response");
    }

    @Test
    void what_a_retry_is_refused_with_is_shown_whole() {
        console.unknown("acme", "k");
        JsonObject gets = json(console.post(VIEWER, "/records/get", "{\"scope\":\"acme\",\"key\":\"k\"}"))
                .object("retryGets");
        assertThat(gets.requiredNumber("status", 0, 999)).isEqualTo(409);
        assertThat(gets.requiredText("body", 5000)).contains("idempotency_outcome_unknown", "\"retryable\"");
    }

    @Test
    @DisplayName("I9: no call about one tenant shows, finds or changes what another has under the same key")
    void across_tenants() {
        long fence = console.completed("acme", "k", "card 4242");
        long unknown = console.unknownAfterStep("acme", "lost", "pay", "card 4242");
        for (Endpoint endpoint : console.api.endpoints()) {
            if (endpoint.method().equals("POST") && endpoint.role() != null) {
                for (String key : List.of("k", "lost")) {
                    AdminResponse response = console.post(
                            ADMINISTRATOR, endpoint.path(), ofOtherTenant(endpoint.path(), key, fence, unknown));
                    assertThat(text(response))
                            .as(endpoint.path())
                            .doesNotContain("acme", "card 4242", "\"settled\"", "\"requeued\"", "\"would\"", "lost\"}");
                    assertThat(response.status()).as(endpoint.path()).isIn(200, 404);
                }
            }
        }
        JsonObject first = json(console.post(VIEWER, "/records/search", "{\"scope\":\"acme\",\"limit\":1}"));
        String beyond = "{\"scope\":\"other\",\"cursor\":\"" + first.requiredText("nextCursor", 4000) + "\"}";
        assertThat(text(console.post(VIEWER, "/records/search", beyond)))
                .as("a cursor of another tenant's page")
                .doesNotContain("acme", "\"key\"");
        assertThat(audit("k")).hasSize(2);
        assertThat(audit("lost")).hasSize(3);
    }

    private static String ofOtherTenant(String path, String key, long fence, long unknown) {
        String identity = "\"scope\":\"other\",\"key\":\"" + key + "\"";
        String named = identity + ",\"fence\":" + (key.equals("k") ? fence : unknown);
        String reasoned = named + ",\"reason\":\"r\"";
        return switch (path) {
            case "/records/search" -> "{" + identity + "}";
            case "/unknown/search" -> "{\"scope\":\"other\"}";
            case "/records/get" -> "{" + identity + "}";
            case "/records/step" -> "{" + reasoned + ",\"step\":\"pay\"}";
            case "/unknown/settle", "/unknown/settle/preview" -> "{" + reasoned + ",\"happened\":false}";
            case "/unknown/bulk" ->
                "{\"action\":\"settle\",\"happened\":false,\"dryRun\":false,\"reason\":\"r\",\"records\":[{" + named
                        + "}]}";
            case "/prune" -> "{\"reason\":\"r\"}";
            default -> "{" + reasoned + "}";
        };
    }

    @Test
    void a_body_of_another_attempt_is_not_shown() {
        long fence = console.completed("acme", "k", "card 4242");
        AdminResponse response = console.post(OPERATOR, "/records/response", named("k", fence + 1));
        assertThat(response.status()).isEqualTo(409);
        assertThat(codeOf(response)).isEqualTo("fence_changed");
        assertThat(text(response)).doesNotContain("card 4242");
    }

    @Test
    @DisplayName("I1: a forgotten record executes again under a higher fence, and its audit says who forgot it")
    void forget() {
        long fence = console.completed("acme", "k", "done");
        assertThat(console.post(OPERATOR, "/records/forget", named("k", fence)).status())
                .isEqualTo(403);
        assertThat(console.retry("acme", "k")).isInstanceOf(Claim.Recorded.class);
        AdminResponse response = console.post(ADMINISTRATOR, "/records/forget", named("k", fence));
        assertThat(response.status()).isEqualTo(200);
        assertThat(audit("k").get(2).change()).isEqualTo(Change.FORGOTTEN);
        assertThat(console.retry("acme", "k")).isInstanceOf(Claim.Granted.class);
        assertThat(console.fence("acme", "k")).isGreaterThan(fence);
    }

    @Test
    @DisplayName("I1: what runs or is unknown cannot be forgotten")
    void forget_refused() {
        long running = console.running("acme", "running");
        long unknown = console.unknown("acme", "unknown");
        long done = console.completed("acme", "done", "x");
        assertThat(codeOf(console.post(ADMINISTRATOR, "/records/forget", named("running", running))))
                .isEqualTo("record_in_progress");
        assertThat(codeOf(console.post(ADMINISTRATOR, "/records/forget", named("unknown", unknown))))
                .isEqualTo("record_unknown");
        assertThat(codeOf(console.post(ADMINISTRATOR, "/records/forget", named("done", done - 1))))
                .isEqualTo("fence_changed");
        assertThat(codeOf(console.post(ADMINISTRATOR, "/records/forget", named("absent", 1))))
                .isEqualTo("no_such_record");
        String own = "{\"scope\":\"dev.semel\",\"key\":\"hashed-keys\",\"fence\":1,\"reason\":\"x\"}";
        assertThat(codeOf(console.post(ADMINISTRATOR, "/records/forget", own))).isEqualTo("record_of_semel");
        assertThat(console.semel.find(Identity.of("acme", "done")).orElseThrow().state())
                .isEqualTo(State.COMPLETED);
    }

    @Test
    void figures_count_what_passes_the_engine_and_what_waits() {
        console.completed("acme", "a", "x");
        console.retry("acme", "a");
        console.unknown("acme", "b");
        console.nanos += 1_500_000_000L;
        JsonObject figures = json(console.get(VIEWER, "/figures"));
        assertThat(figures.requiredNumber("unknown", 0, 10)).isEqualTo(1);
        assertThat(figures.object("rates").requiredNumber("created", 0, 10)).isEqualTo(2);
        assertThat(figures.object("rates").requiredNumber("replay", 0, 10)).isEqualTo(1);
        assertThat(figures.requiredFlag("live")).isTrue();
        AdminResponse stream = console.get(VIEWER, "/figures/stream");
        assertThat(stream.events()).isNotNull();
        assertThat(stream.events().get()).startsWith("event: figures\ndata: {").endsWith("}\n\n");
    }

    @Test
    void misused_keys_are_listed_by_digest() {
        console.completed("acme", "secret-key", "x");
        console.misused("acme", "secret-key");
        console.misused("acme", "secret-key");
        AdminResponse response = console.get(VIEWER, "/misuse");
        JsonObject misuse = json(response).objects("misuses", 10).get(0);
        assertThat(misuse.requiredNumber("count", 0, 10)).isEqualTo(2);
        assertThat(text(response)).doesNotContain("secret-key");
    }
}
