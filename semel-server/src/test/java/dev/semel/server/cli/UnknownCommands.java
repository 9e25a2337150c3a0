package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.jdbc.Stores;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on unknown outcomes, tested on every kind of store. */
abstract class UnknownCommands {

    private static final Duration RETENTION = Duration.ofDays(1);
    private static final Duration HOLD = Duration.ofMinutes(5);
    private static final Evidence RESOLVER = new Evidence("resolver:charge", "the bank does not answer");

    private Store store;
    private int claims;

    @TempDir
    Path files;

    /** The URI of a store of this test alone. */
    abstract String uri();

    @BeforeEach
    void openStore() {
        store = Stores.open(uri());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private Invocation unknown(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "unknown";
        all[1] = arguments[0];
        all[2] = "--store";
        all[3] = uri();
        System.arraycopy(arguments, 1, all, 4, arguments.length - 1);
        return Invocation.of(all);
    }

    private ClaimAnswer claim(String scope, String key, String operation) {
        return store.blocking()
                .claim(new ClaimRequest(
                        Identity.of(scope, key),
                        operation,
                        new Fingerprint("v1:0"),
                        Duration.ofSeconds(30),
                        false,
                        Holder.text("holder-" + ++claims, "POST /payments/42")));
    }

    Lease becomeUnknown(String scope, String key, String operation) {
        Lease lease = ((ClaimAnswer.Granted) claim(scope, key, operation)).lease();
        store.blocking().settle(lease, new Outcome.Unknown("timeout"), RETENTION);
        return lease;
    }

    /** Leaves an unknown outcome that a reconciler has taken. */
    void becomeTaken(String scope, String key, String operation) {
        becomeUnknown(scope, key, operation);
        assertThat(store.due(operation, 10, HOLD)).isNotEmpty();
    }

    private void becomeDeadLetter(String scope, String key, String operation) {
        Lease lease = becomeUnknown(scope, key, operation);
        assertThat(store.due(operation, 10, HOLD)).isNotEmpty();
        store.reschedule(lease, new Reschedule.DeadLetter(1), RESOLVER);
    }

    private StoredRecord stored(String key) {
        return store.blocking().find(Identity.of("acme", key)).orElseThrow();
    }

    @Test
    void fails_for_jobs_that_alert_when_there_is_any() {
        assertThat(unknown("list", "--fail-if-any").status()).isZero();
        becomeUnknown("acme", "k1", "charge");

        assertThat(unknown("list", "--dead", "--fail-if-any").status()).isZero();
        Invocation failed = unknown("list", "--fail-if-any");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.out()).contains("k1", "1 unknown outcome, 0 dead-lettered");
        assertThat(unknown("list").status()).isZero();
    }

    @Test
    void lists_unknown_outcomes_as_a_table() {
        becomeDeadLetter("acme", "k1", "charge");
        becomeUnknown("acme", "k2", "refund");
        claim("acme", "k3", "charge");

        Invocation listed = unknown("list");

        assertThat(listed.status()).isZero();
        assertThat(listed.out().lines())
                .satisfiesExactly(
                        heading -> assertThat(heading).matches("SCOPE +KEY +OPERATION +AGE +TRIES +NEXT TRY +REASON"),
                        dead -> assertThat(dead).matches("acme +k1 +charge +\\d+s +1 +DEAD +timeout"),
                        due -> assertThat(due).matches("acme +k2 +refund +\\d+s +0 +due.* +timeout"),
                        count -> assertThat(count).isEqualTo("2 unknown outcomes, 1 dead-lettered"));
    }

    @Test
    void lists_those_of_an_operation_the_dead_ones_and_no_more_than_asked_for() {
        becomeDeadLetter("acme", "k1", "charge");
        becomeUnknown("acme", "k2", "charge");
        becomeUnknown("acme", "k3", "refund");

        assertThat(unknown("list", "--operation", "refund").out())
                .contains("k3", "1 unknown outcome, 0 dead-lettered")
                .doesNotContain("k1", "k2");
        assertThat(unknown("list", "--dead").out()).contains("k1").doesNotContain("k2", "k3");
        assertThat(unknown("list", "--dead", "--operation", "refund").out())
                .isEqualToIgnoringNewLines("No dead letters.");
        assertThat(unknown("list", "--limit", "2").out())
                .contains("k1", "k2", "2 unknown outcomes, 1 dead-lettered; there are more")
                .doesNotContain("k3");
        assertThat(unknown("list", "--limit", "3").out()).doesNotContain("more");
    }

    @Test
    void says_that_nothing_is_unknown() {
        Invocation listed = unknown("list");

        assertThat(listed.status()).isZero();
        assertThat(listed.out()).isEqualToIgnoringNewLines("No unknown outcomes.");
        assertThat(unknown("list", "--json").out()).isEmpty();
    }

    @Test
    void lists_for_scripts_one_line_of_json_each() {
        becomeDeadLetter("acme", "k1", "charge");
        becomeUnknown("m\u00fcller", "say \"\\\u202e", "refund");

        List<String> lines = unknown("list", "--json").out().lines().toList();

        assertThat(lines)
                .satisfiesExactly(
                        dead -> assertThat(dead)
                                .startsWith("{\"scope\":\"acme\",\"key\":\"k1\",\"operation\":\"charge\",\"fence\":")
                                .contains("\"tries\":1,\"next_try_at\":null,\"dead_lettered\":true")
                                .endsWith("\"reason\":\"timeout\",\"request\":\"POST /payments/42\"}"),
                        due -> assertThat(due)
                                .startsWith("{\"scope\":\"m\\u00fcller\",\"key\":\"say \\\"\\\\\\u202e\",")
                                .containsPattern("\"next_try_at\":\"2\\d{3}-[^\"]+Z\",\"dead_lettered\":false"));
    }

    @Test
    void shows_keys_so_that_they_can_be_copied_and_nothing_invisible() {
        becomeUnknown("acme", "it's \u202e\u00e9", "charge");
        becomeUnknown("acme", "order 42", "charge");

        assertThat(unknown("list").out())
                .contains("$'it\\'s \\u202E\u00e9'")
                .contains("'order 42'")
                .doesNotContain("\u202e");
        assertThat(unknown("show", "acme", "it's \u202e\u00e9").out())
                .contains("-- acme $'it\\'s \\u202E\u00e9'")
                .doesNotContain("\u202e");
    }

    @Test
    void shows_what_happened_and_what_to_do_next() {
        becomeDeadLetter("acme", "k1", "charge");
        long fence = stored("k1").fence();

        Invocation shown = unknown("show", "acme", "k1");

        assertThat(shown.status()).isZero();
        assertThat(shown.out())
                .containsPattern("state +unknown, dead-lettered")
                .containsPattern("unknown since +2\\d{3}-\\S+ \\(\\d+s\\)")
                .containsPattern("tries +1")
                .containsPattern("TIME +CHANGE +STATE +FENCE +WHO +WHY")
                .containsPattern("2\\d{3}-\\S+ +granted +absent -> in_progress +" + fence
                        + " +holder-\\d+ +POST /payments/42\\R")
                .containsPattern("settled +in_progress -> unknown +" + fence + " +holder-\\d+ +timeout\\R")
                .containsPattern("dead_lettered +unknown +" + fence + " +resolver:charge +the bank does not answer\\R")
                .contains("The reconciler has given up after too many tries. Find out")
                .contains("./semel unknown resolve --fence " + fence + " --not-executed --reason '...' -- acme k1")
                .contains("./semel unknown requeue --reason '...' -- acme k1");
    }

    @Test
    void reports_a_missing_resolver_when_there_was_no_try() {
        becomeUnknown("acme", "k1", "charge");

        assertThat(unknown("show", "acme", "k1").out())
                .containsPattern(
                        "The reconciler has not tried this outcome \\(due.*\\): no resolver is configured for charge, or"
                                + " its reconciler has not run since\\. Find out whether the operation happened, then:")
                .doesNotContain("The reconciler tries again");
    }

    @Test
    void reports_the_next_try_of_the_reconciler() {
        becomeTaken("acme", "k1", "charge");
        assertThat(unknown("show", "acme", "k1").out())
                .containsPattern("The reconciler tries again \\(in \\d+m.*\\)\\. To settle it yourself:");
        assertThat(unknown("list").out()).doesNotContain("overdue");
    }

    @Test
    void finds_an_unknown_outcome_by_the_hash_of_its_key_in_logs() {
        becomeUnknown("acme", "order 42", "charge");
        becomeUnknown("globex", "order 42", "charge");
        String logged = Key.of("order 42").redacted();

        Invocation shown = unknown("show", "acme", logged);

        assertThat(shown.status()).isZero();
        assertThat(shown.out())
                .containsPattern("(?m)^scope +acme$")
                .containsPattern("(?m)^key +order 42$")
                .contains("-- acme 'order 42'");
        assertThat(unknown("show", "other", logged).status()).isEqualTo(1);
    }

    @Test
    void shows_the_request_and_when_it_was_claimed_and_completed() {
        Lease lease = becomeUnknown("acme", "k1", "charge");
        assertThat(unknown("show", "acme", "k1").out())
                .containsPattern("(?m)^request +POST /payments/42$")
                .containsPattern("(?m)^holder +holder-\\d+$")
                .containsPattern("(?m)^claimed +2\\d{3}-\\S+Z$")
                .doesNotContainPattern("(?m)^completed ");

        store.blocking().settle(lease, new Outcome.Completed(Response.of(new byte[] {1})), RETENTION);

        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "k1").out())
                .containsPattern("(?m)^request +POST /payments/42$")
                .containsPattern("(?m)^completed +2\\d{3}-\\S+Z$");
    }

    @Test
    void shows_the_history_of_any_key() {
        becomeUnknown("acme", "k1", "charge");

        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "k1").out())
                .containsPattern("granted +absent -> in_progress")
                .containsPattern("settled +in_progress -> unknown");
    }

    @Test
    void escapes_control_characters_of_a_reason() {
        Lease lease = becomeUnknown("acme", "k1", "charge");
        Evidence hostile = new Evidence("person:eve", "fine\u001b[2J\nstate  completed");
        store.reschedule(lease, new Reschedule.Reset(), hostile);

        assertThat(unknown("show", "acme", "k1").out())
                .doesNotContain("\u001b")
                .contains("fine\\u001B[2J\\nstate  completed");
    }

    @Test
    void reports_a_missing_record() {
        for (String command : List.of("show", "resolve", "requeue")) {
            String[] arguments = switch (command) {
                case "show" -> new String[] {command, "acme", "none"};
                case "resolve" -> new String[] {command, "acme", "none", "--not-executed", "--reason", "r"};
                default -> new String[] {command, "acme", "none", "--reason", "r"};
            };
            Invocation failed = unknown(arguments);
            assertThat(failed.status()).as(command).isEqualTo(1);
            assertThat(failed.err()).hasLineCount(1).contains("no record of this key");
            assertThat(failed.out()).isEmpty();
        }
    }

    @Test
    void resolves_as_completed_with_the_response_to_replay() {
        becomeDeadLetter("acme", "k1", "charge");

        Invocation resolved = unknown(
                "resolve",
                "acme",
                "k1",
                "--completed",
                "--status",
                "201",
                "--header",
                "Content-Type: application/json",
                "--header",
                "Location:/payments/7 ",
                "--body",
                "{\"id\": \"\u00e9\"}",
                "--reason",
                "charge ch_7 at the bank",
                "--by",
                "alice",
                "--retention",
                "7d");

        assertThat(resolved.err()).isEmpty();
        assertThat(resolved.status()).isZero();
        assertThat(resolved.out()).isEqualToIgnoringNewLines("Settled as completed: retries get this response.");
        StoredRecord record = stored("k1");
        assertThat(record.state()).isEqualTo(State.COMPLETED);
        assertThat(record.evidence()).isEqualTo(new Evidence("person:alice", "charge ch_7 at the bank"));
        assertThat(record.retentionRemaining()).isBetween(Duration.ofDays(7).minusHours(1), Duration.ofDays(7));
        RecordedResponse replayed = replayed("k1");
        assertThat(replayed.status()).isEqualTo(201);
        assertThat(replayed.headers())
                .isEqualTo(Headers.of("Content-Type", "application/json").with("Location", "/payments/7"));
        assertThat(replayed.body().bytes()).isEqualTo("{\"id\": \"\u00e9\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(Invocation.of("keys", "show", "--store", uri(), "acme", "k1").out())
                .containsPattern("reconciled +unknown -> completed +\\d+ +person:alice +charge ch_7 at the bank");
    }

    /** The response as the HTTP layer gets it from its engine. */
    private RecordedResponse replayed(String key) {
        try (SemelEngine semel = SemelEngine.on(Stores.open(uri())).build()) {
            return RecordedResponse.from(
                            semel.find(Identity.of("acme", key)).orElseThrow().response())
                    .orElseThrow();
        }
    }

    @Test
    void takes_the_body_from_a_file_byte_for_byte() throws IOException {
        becomeUnknown("acme", "k1", "charge");
        byte[] bytes = {0, (byte) 0xFF, '\n', 7};
        Path file = Files.write(files.resolve("body"), bytes);

        Invocation resolved = unknown(
                "resolve",
                "acme",
                "k1",
                "--completed",
                "--status",
                "200",
                "--body-file",
                file.toString(),
                "--reason",
                "r");

        assertThat(resolved.status()).isZero();
        assertThat(replayed("k1").body().bytes()).isEqualTo(bytes);
        assertThat(stored("k1").evidence()).isEqualTo(new Evidence("person:" + System.getProperty("user.name"), "r"));
    }

    @Test
    void resolves_as_not_executed_and_warns_that_the_next_request_executes() {
        long fence = becomeUnknown("acme", "k1", "charge").fence();

        Invocation resolved = unknown(
                "resolve",
                "--not-executed",
                "--reason",
                "no such charge",
                "--fence",
                Long.toString(fence),
                "--",
                "acme",
                "k1");

        assertThat(resolved.status()).isZero();
        assertThat(resolved.err())
                .hasLineCount(1)
                .startsWith("semel: warning: the next request with this key executes")
                .contains("duplicate");
        assertThat(resolved.out()).contains("Settled as not executed");
        assertThat(claim("acme", "k1", "charge")).isInstanceOf(ClaimAnswer.Granted.class);
    }

    @Test
    void refuses_to_resolve_a_record_that_is_not_unknown_and_reports_its_state() {
        becomeUnknown("acme", "done", "charge");
        String[] resolve = {"resolve", "acme", "done", "--not-executed", "--reason", "r"};
        assertThat(unknown(resolve).status()).isZero();
        claim("acme", "running", "charge");

        Invocation twice = unknown(resolve);
        assertThat(twice.status()).isEqualTo(1);
        assertThat(twice.err()).hasLineCount(1).contains("it is failed_retryable: the next request executes");
        resolve[2] = "running";
        assertThat(unknown(resolve).err())
                .hasLineCount(1)
                .contains("it is in_progress: its attempt may still complete it");
        assertThat(unknown("show", "acme", "running").out()).contains("Nothing to settle: ");
        assertThat(stored("running").state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void refuses_evidence_about_an_earlier_attempt() {
        long first = becomeUnknown("acme", "k1", "charge").fence();
        unknown("resolve", "acme", "k1", "--not-executed", "--reason", "r");
        long second = becomeUnknown("acme", "k1", "charge").fence();

        Invocation late = unknown(
                "resolve", "acme", "k1", "--fence", Long.toString(first), "--not-executed", "--reason", "found none");

        assertThat(late.status()).isEqualTo(1);
        assertThat(late.err()).hasLineCount(1).contains("fence " + first, "fence " + second);
        assertThat(stored("k1").state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void requeues_a_dead_letter() {
        becomeDeadLetter("acme", "k1", "charge");

        Invocation requeued = unknown("requeue", "acme", "k1", "--reason", "the bank is back", "--by", "bob");

        assertThat(requeued.status()).isZero();
        assertThat(requeued.out()).startsWith("Requeued: ");
        assertThat(stored("k1").isDeadLettered()).isFalse();
        assertThat(unknown("show", "acme", "k1").out())
                .containsPattern("requeued +unknown +\\d+ +person:bob +the bank is back")
                .contains("The reconciler tries again (due");
        assertThat(store.due("charge", 10, HOLD)).hasSize(1);
    }

    @Test
    void requeues_no_record_that_is_not_unknown() {
        claim("acme", "k1", "charge");

        Invocation refused = unknown("requeue", "acme", "k1", "--reason", "r");

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).hasLineCount(1).contains("it is in_progress");
    }

    @Test
    void accepts_keys_that_start_with_a_hyphen() {
        becomeUnknown("acme", "--reason", "charge");

        assertThat(unknown("list").out()).contains("--reason");
        assertThat(unknown("requeue", "--reason", "r", "--", "acme", "--reason").status())
                .isZero();
    }
}
