package dev.semel.admin;

import static dev.semel.admin.Console.codeOf;
import static dev.semel.admin.Console.json;
import static dev.semel.admin.Console.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.adapter.Claim;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.json.JsonObject;
import dev.semel.http.RecordedResponse;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The admin API about unknown outcomes")
class SettleCallsTest {

    private static final String ALICE = "alice/operator";
    private static final String BOB = "bob/operator";

    private static String happened(String key, long fence, String body) {
        return "{\"scope\":\"acme\",\"key\":\"" + key + "\",\"fence\":" + fence
                + ",\"happened\":true,\"reason\":\"statement 7\",\"response\":{\"status\":201,"
                + "\"headers\":[[\"Location\",\"/payments/7\"]],\"body\":\"" + body + "\"}}";
    }

    private static String didNotHappen(String key, long fence) {
        return "{\"scope\":\"acme\",\"key\":\"" + key + "\",\"fence\":" + fence
                + ",\"happened\":false,\"reason\":\"no such charge\"}";
    }

    private static StoredRecord record(Console console, String key) {
        return console.semel.find(Identity.of("acme", key)).orElseThrow();
    }

    private static List<AuditEntry> audit(Console console, String key) {
        return console.semel.unknownOutcomes().history(Identity.of("acme", key));
    }

    @Test
    void a_note_that_a_person_looked_is_shown_to_the_next_and_changes_nothing() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            StoredRecord before = record(console, "k");
            String note = "{\"scope\":\"acme\",\"key\":\"k\",\"fence\":" + fence + ",\"reason\":\"decided tomorrow\"}";
            assertThat(console.post("vera/viewer", "/unknown/note", note).status())
                    .isEqualTo(403);
            assertThat(codeOf(console.post(ALICE, "/unknown/note", note.replace(":" + fence, ":" + (fence + 1)))))
                    .isEqualTo("fence_changed");
            assertThat(audit(console, "k")).hasSize(2);

            assertThat(json(console.post(ALICE, "/unknown/note", note)).requiredFlag("noted"))
                    .isTrue();

            JsonObject queued = json(console.post(BOB, "/unknown/search", "{}"))
                    .objects("records", 10)
                    .get(0)
                    .object("lastNote");
            assertThat(queued.requiredText("said", 100)).isEqualTo("decided tomorrow");
            assertThat(queued.requiredText("by", 100)).isEqualTo("person:alice from 203.0.113.7");
            assertThat(record(console, "k").state()).isEqualTo(State.UNKNOWN);
            assertThat(record(console, "k").reconciling()).isEqualTo(before.reconciling());
            console.post(ALICE, "/unknown/settle", didNotHappen("k", fence));
            assertThat(codeOf(console.post(BOB, "/unknown/note", note))).isEqualTo("settled_otherwise");
        }
    }

    @Test
    @DisplayName("I6: a settlement is what clients get from then on, and its evidence says who, from where and why")
    void settle_happened() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            JsonObject preview = json(console.post(ALICE, "/unknown/settle/preview", happened("k", fence, "paid")));
            assertThat(audit(console, "k")).hasSize(2);
            AdminResponse response = console.post(ALICE, "/unknown/settle", happened("k", fence, "paid"));
            assertThat(json(response).requiredFlag("settled")).isTrue();
            Claim.Recorded replay = (Claim.Recorded) console.retry("acme", "k");
            RecordedResponse recorded = RecordedResponse.from(replay.response()).orElseThrow();
            assertThat(preview.requiredNumber("status", 0, 999)).isEqualTo(recorded.status());
            assertThat(preview.requiredText("body", 100))
                    .isEqualTo(new String(recorded.body().bytes(), StandardCharsets.UTF_8));
            assertThat(record(console, "k").evidence().source()).isEqualTo("person:alice from 203.0.113.7");
            assertThat(record(console, "k").evidence().detail()).isEqualTo("statement 7");
        }
    }

    @Test
    void settled_as_not_executed_the_next_request_executes() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            assertThat(json(console.post(ALICE, "/unknown/settle/preview", didNotHappen("k", fence)))
                            .requiredFlag("executes"))
                    .isTrue();
            assertThat(console.post(ALICE, "/unknown/settle", didNotHappen("k", fence))
                            .status())
                    .isEqualTo(200);
            assertThat(console.retry("acme", "k")).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void of_two_operators_one_is_told_that_the_other_was_faster() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            assertThat(console.post(ALICE, "/unknown/settle", happened("k", fence, "paid"))
                            .status())
                    .isEqualTo(200);
            AdminResponse late = console.post(BOB, "/unknown/settle", didNotHappen("k", fence));
            assertThat(late.status()).isEqualTo(409);
            assertThat(codeOf(late)).isEqualTo("settled_otherwise");
            AdminResponse same = console.post(BOB, "/unknown/settle", happened("k", fence, "paid"));
            assertThat(json(same).requiredFlag("already")).isTrue();
        }
    }

    @Test
    @DisplayName("I2: evidence about one attempt settles no other")
    void fence_changed() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            console.post(ALICE, "/unknown/settle", didNotHappen("k", fence));
            long next = console.unknown("acme", "k");
            AdminResponse response = console.post(BOB, "/unknown/settle", happened("k", fence, "paid"));
            assertThat(codeOf(response)).isEqualTo("fence_changed");
            assertThat(codeOf(console.post(BOB, "/unknown/requeue", again("k", fence))))
                    .isEqualTo("fence_changed");
            assertThat(record(console, "k").state()).isEqualTo(State.UNKNOWN);
            assertThat(record(console, "k").fence()).isEqualTo(next);
        }
    }

    private static String again(String key, long fence) {
        return "{\"scope\":\"acme\",\"key\":\"" + key + "\",\"fence\":" + fence + ",\"reason\":\"again\"}";
    }

    @Test
    void a_response_that_no_client_could_get_is_refused() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            String start = "{\"scope\":\"acme\",\"key\":\"k\",\"fence\":" + fence
                    + ",\"happened\":true,\"reason\":\"r\",\"response\":{\"status\":201,\"headers\":";
            for (String headers : List.of(
                    "[[\"Set-Cookie\",\"a=b\"]]",
                    "[[\"X\",\"a\\r\\nSet-Cookie: b\"]]",
                    "[[\"X Y\",\"a\"]]",
                    "[[\"X\"]]")) {
                AdminResponse response = console.post(ALICE, "/unknown/settle", start + headers + "}}");
                assertThat(response.status()).as(headers).isEqualTo(400);
            }
            assertThat(record(console, "k").state()).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    @DisplayName("I6: with two approvals, only the second person's agreement settles")
    void second_person() {
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long fence = console.unknown("acme", "k");
            String settlement = happened("k", fence, "paid");
            assertThat(json(console.post(ALICE, "/unknown/settle", settlement)).requiredFlag("proposed"))
                    .isTrue();
            assertThat(json(console.post(ALICE, "/unknown/settle", settlement)).requiredFlag("settled"))
                    .as("the same person again")
                    .isFalse();
            assertThat(record(console, "k").state()).isEqualTo(State.UNKNOWN);
            assertThat(audit(console, "k"))
                    .filteredOn(entry -> entry.change() == Change.PROPOSED)
                    .hasSize(1);
            JsonObject queued = json(console.post("vera/viewer", "/unknown/search", "{}"))
                    .objects("records", 10)
                    .get(0);
            assertThat(queued.object("proposal").requiredText("by", 100)).isEqualTo("alice");
            AdminResponse other = console.post(BOB, "/unknown/settle", happened("k", fence, "other"));
            assertThat(codeOf(other)).isEqualTo("proposal_differs");
            assertThat(codeOf(console.post(BOB, "/unknown/settle", didNotHappen("k", fence))))
                    .isEqualTo("proposal_differs");
            assertThat(record(console, "k").state()).isEqualTo(State.UNKNOWN);
            assertThat(json(console.post(BOB, "/unknown/settle", settlement)).requiredFlag("settled"))
                    .isTrue();
            assertThat(record(console, "k").evidence().source()).startsWith("person:bob");
            assertThat(record(console, "k").evidence().detail()).contains("alice");
        }
    }

    @Test
    void the_first_person_can_change_a_proposal_and_a_proposal_dies_with_its_attempt() {
        try (Console console = new Console(builder -> builder.writes(true).approvals(2))) {
            long fence = console.unknown("acme", "k");
            console.post(ALICE, "/unknown/settle", happened("k", fence, "paid"));
            console.post(ALICE, "/unknown/settle", didNotHappen("k", fence));
            assertThat(json(console.post(BOB, "/unknown/settle", didNotHappen("k", fence)))
                            .requiredFlag("settled"))
                    .isTrue();
            long next = console.unknown("acme", "k");
            assertThat(json(console.post(BOB, "/unknown/settle", didNotHappen("k", next)))
                            .requiredFlag("settled"))
                    .as("the proposal about the attempt before")
                    .isFalse();
        }
    }

    @Test
    void two_approvals_need_callers_that_can_be_told_apart() {
        assertThatThrownBy(() -> new Console(Authenticator.none("local"), builder -> builder.approvals(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("approvals 2 needs authentication");
    }

    @Test
    void a_dry_run_lists_what_would_change_and_changes_nothing() {
        try (Console console = new Console()) {
            long open = console.unknown("acme", "open");
            long done = console.completed("acme", "done", "x");
            String records = "\"records\":[{\"scope\":\"acme\",\"key\":\"open\",\"fence\":" + open
                    + "},{\"scope\":\"acme\",\"key\":\"done\",\"fence\":" + done + "}]";
            String dry =
                    "{\"action\":\"settle\",\"happened\":false,\"reason\":\"outage\",\"dryRun\":true," + records + "}";
            List<JsonObject> would =
                    json(console.post(ALICE, "/unknown/bulk", dry)).objects("results", 10);
            assertThat(would.get(0).requiredText("would", 200)).contains("failed_retryable");
            assertThat(would.get(1).object("error").requiredText("code", 100)).isEqualTo("settled_otherwise");
            assertThat(record(console, "open").state()).isEqualTo(State.UNKNOWN);
            List<JsonObject> did = json(console.post(
                            ALICE, "/unknown/bulk", dry.replace("\"dryRun\":true", "\"dryRun\":false")))
                    .objects("results", 10);
            assertThat(did.get(0).object("did").requiredFlag("settled")).isTrue();
            assertThat(did.get(1).object("error")).isNotNull();
            assertThat(record(console, "open").state()).isEqualTo(State.FAILED_RETRYABLE);
            assertThat(record(console, "done").state()).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void requeues_with_the_reason_in_the_audit() {
        try (Console console = new Console()) {
            long fence = console.unknown("acme", "k");
            assertThat(console.post(ALICE, "/unknown/requeue", again("k", fence))
                            .status())
                    .isEqualTo(200);
            AuditEntry last = audit(console, "k").get(2);
            assertThat(last.change()).isEqualTo(Change.REQUEUED);
            assertThat(last.who()).startsWith("person:alice");
            assertThat(text(console.get("vera/viewer", "/figures"))).contains("\"unknown\":1");
        }
    }
}
