package dev.semel.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.adapter.Claim;
import dev.semel.server.console.Chromium.Look;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The console in Chromium")
final class ConsoleBrowserIT {

    private static final String RECEIPT = "{\"id\":\"pay_77\",\"status\":\"succeeded\"}";
    private static final String HOSTILE = "'><img/src=x/onerror=alert(1)>";

    private static Chromium chromium;
    private static TestConsole console;
    private static TestConsole careful;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
        chromium = Chromium.launch();
        console = new TestConsole(folder, 1);
        careful = new TestConsole(folder, 2);
    }

    @AfterAll
    static void stop() {
        chromium.close();
        console.close();
        careful.close();
    }

    private static Operator operator(String name) {
        return Operator.logIn(chromium.open(Look.LIGHT), console, name);
    }

    private static State stateOf(TestConsole where, String key) {
        return where.semel
                .find(Identity.of(PaymentService.SCOPE, key))
                .orElseThrow()
                .state();
    }

    @Test
    void an_unknown_payment_is_settled_by_keyboard_alone_and_its_client_gets_the_replay() {
        String order = "{\"order\":\"keyboard\",\"lose\":true}";
        console.payments.lose("pay-keyboard", order);
        assertThat(console.payments.send("pay-keyboard", order).statusCode()).isEqualTo(409);
        Operator alice = operator("alice");

        alice.tabTo(alice.link("Settle unknown outcomes"));
        alice.press("Enter");
        assertThat(alice.heading("Unknown outcomes")).isVisible();
        Locator row = alice.link("pay-keyboard");
        assertThat(row).isVisible();
        while (!(Boolean) row.evaluate("element => element === document.activeElement")) {
            alice.press("j");
        }
        alice.press("Enter");
        assertThat(alice.heading("Settle this outcome")).isVisible();
        assertThat(alice.page.locator(".timeline")).containsText("The attempt ended without an answer");
        assertThat(alice.page.url()).doesNotContain("pay-keyboard");

        alice.tabTo(alice.page.locator("input[value=happened]"));
        alice.press("Space");
        alice.tabTo(alice.page.getByLabel("Status"));
        alice.type("201");
        alice.tabTo(alice.page.getByLabel("Body"));
        alice.type(RECEIPT);
        alice.tabTo(alice.page.locator("[name=reason]"));
        alice.type("charge ch_77 in the dashboard");
        alice.tabTo(alice.button("Preview what the client gets"));
        alice.press("Enter");
        Locator confirm = alice.page.locator("[data-confirm]");
        assertThat(confirm).isFocused();
        String preview = alice.page.locator(".preview .response").innerText();
        alice.screenshot("settle-by-keyboard");
        alice.press("Enter");
        assertThat(alice.page.getByText("Settled: it happened")).isVisible();
        assertThat(alice.page.locator(".timeline")).containsText("charge ch_77 in the dashboard");

        HttpResponse<String> replay = console.payments.send("pay-keyboard", order);
        assertThat(replay.statusCode()).isEqualTo(201);
        assertThat(replay.body()).isEqualTo(RECEIPT);
        assertThat(replay.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(preview).contains("HTTP 201", RECEIPT, "Idempotency-Replayed: true");
        assertThat(console.payments.executions(order)).isEqualTo(1);
        assertThat(alice.complaints).isEmpty();
    }

    @Test
    void of_two_operators_who_settle_the_same_record_one_is_told_and_loses_nothing_typed() {
        String order = "{\"order\":\"race\",\"lose\":true}";
        console.payments.lose("pay-race", order);
        Operator alice = operator("alice");
        Operator bo = operator("bo");
        alice.openUnknown("pay-race");
        bo.openUnknown("pay-race");
        alice.previewHappened(RECEIPT, "seen by alice");
        bo.page.locator("input[value=didNotHappen]").check();
        bo.page.locator("form.settle [name=reason]").fill("bo found nothing");
        bo.button("Preview what the client gets").click();
        assertThat(bo.page.locator("[data-confirm]")).isEnabled();
        // What bo's page would show of alice's settlement by itself comes too late.
        bo.page.route("**/records/get", route -> {});

        alice.confirm();
        assertThat(alice.page.getByText("Settled: it happened")).isVisible();
        bo.confirm();

        assertThat(bo.alert().filter(new Locator.FilterOptions().setHasText("settled already")))
                .isVisible();
        assertThat(bo.page.locator("form.settle [name=reason]")).hasValue("bo found nothing");
        bo.screenshot("settled-by-another");
        assertThat(console.payments.send("pay-race", order).body()).isEqualTo(RECEIPT);
        assertThat(console.payments.executions(order)).isEqualTo(1);
    }

    @Test
    void what_is_typed_survives_a_reload_and_no_key_is_in_an_address() {
        console.payments.lose("pay-reload", "{\"lose\":\"reload\"}");
        Operator alice = operator("alice");
        alice.openUnknown("pay-reload");
        alice.previewHappened(RECEIPT, "half way through");

        alice.page.reload();

        assertThat(alice.page.getByLabel("Body")).hasValue(RECEIPT);
        assertThat(alice.page.locator("form.settle [name=reason]")).hasValue("half way through");
        alice.go("#/records", "Records");
        alice.press("/");
        alice.type("pay-reload");
        alice.press("Enter");
        assertThat(alice.link("pay-reload")).isVisible();
        assertThat(alice.page.locator("tbody tr")).hasCount(1);
        assertThat(alice.page.url()).contains("q=").doesNotContain("pay-reload");
        alice.page.reload();
        assertThat(alice.page.locator("[data-search]")).hasValue("pay-reload");
        assertThat(alice.page.locator("tbody tr")).hasCount(1);
    }

    @Test
    void what_is_known_of_an_answer_is_at_hand_and_a_note_tells_the_next_person() throws Exception {
        Claim.Granted trip = (Claim.Granted) console.semel.begin(Intent.of(
                Operation.named("book-trip"), new Scope("travel"), Key.of("trip-seat"), new Fingerprint("v1:0")));
        trip.attempt().step(Step.named("reserve-seat"), Codec.text(), key -> "seat 12A");
        trip.attempt().settleAndWait(new Outcome.Unknown("step_not_recorded"));
        console.payments.send("pay-usual", "{\"usual\":1}");
        console.payments.lose("pay-unusual", "{\"lose\":\"unusual\"}");
        Operator alice = operator("alice");
        alice.openUnknown("pay-unusual");
        assertThat(alice.page.locator(".client-gets")).containsText("idempotency_outcome_unknown");
        alice.page.locator("input[value=happened]").check();
        alice.page.getByLabel("Headers").fill("");
        alice.button("201 · Content-Type: application/json").click();
        assertThat(alice.page.getByLabel("Status")).hasValue("201");
        assertThat(alice.page.getByLabel("Headers")).hasValue("Content-Type: application/json");

        alice.openUnknown("trip-seat");
        assertThat(alice.page.locator(".timeline")).not().containsText("12A");
        alice.button("Show the result of reserve-seat …").click();
        alice.page.locator("dialog [name=reason]").fill("the answer names the seat");
        alice.button("Show the result").click();
        assertThat(alice.page.locator(".timeline pre.response")).hasText("seat 12A");
        assertThat(alice.page.locator(".timeline")).containsText("step reserve-seat: the answer names the seat");
        alice.page.locator("input[value=cannotTell]").check();
        alice.button("Note that you looked …").click();
        alice.page.locator("dialog [name=reason]").fill("the airline decides tomorrow");
        alice.button("Write the note").click();
        assertThat(alice.page.getByText("Your note is in the history")).isVisible();
        alice.screenshot("note-and-step");
        alice.go("#/unknown", "Unknown outcomes");
        assertThat(alice.page.locator("table.queue")).containsText("the airline decides tomorrow");
        assertThat(alice.complaints).isEmpty();
    }

    @Test
    void a_page_that_appears_does_not_take_the_focus_from_a_field_that_is_in_use_already() {
        Operator alice = operator("alice");

        Object focused = alice.page.evaluate("""
                async () => {
                    location.hash = '#/records';
                    await new Promise(appeared => new MutationObserver(() => document.querySelector('[data-search]') && appeared())
                        .observe(document.body, { childList: true, subtree: true }));
                    document.querySelector('[data-search]').focus();
                    await new Promise(painted => requestAnimationFrame(() => setTimeout(() => setTimeout(painted))));
                    return document.activeElement.matches('[data-search]');
                }
                """);

        assertThat(focused).isEqualTo(true);
    }

    @Test
    void a_second_person_approves_what_the_first_proposed() {
        String order = "{\"order\":\"two\",\"lose\":true}";
        careful.payments.lose("pay-two", order);
        Operator alice = Operator.logIn(chromium.open(Look.LIGHT), careful, "alice");
        Operator bo = Operator.logIn(chromium.open(Look.LIGHT), careful, "bo");
        alice.openUnknown("pay-two");
        alice.previewHappened(RECEIPT, "charge ch_2 in the dashboard");
        alice.confirm();
        assertThat(alice.page.getByText("Your proposal is recorded")).isVisible();
        assertThat(alice.page.getByText("Waiting for a second person.")).isVisible();
        String handover = alice.page.locator(".proposal .copyable code").innerText();
        assertThat(stateOf(careful, "pay-two")).isEqualTo(State.UNKNOWN);

        bo.go("#/unknown", "Unknown outcomes");
        assertThat(bo.page.getByText("alice proposes: it happened")).isVisible();
        bo.link("pay-two").click();
        assertThat(bo.heading("alice proposes: it happened")).isVisible();
        Locator approve = bo.button("Approve: it happened");
        bo.page.locator("[name=handover]").fill(handover.replace("pay_77", "pay_78"));
        bo.page.locator(".proposal [name=reason]").fill("same charge in the bank's export");
        approve.click();
        assertThat(bo.alert()).containsText("Another settlement is proposed");
        bo.page.locator("[name=handover]").fill(handover);
        approve.click();
        assertThat(bo.page.getByText("Settled: it happened")).isVisible();
        bo.screenshot("second-person");

        assertThat(careful.payments.send("pay-two", order).body()).isEqualTo(RECEIPT);
        assertThat(bo.page.locator(".timeline")).containsText("charge ch_2 in the dashboard");
        assertThat(careful.payments.executions(order)).isEqualTo(1);
    }

    @Test
    void several_are_released_together_after_a_dry_run_that_changes_nothing() {
        List<String> keys = List.of("pay-bulk-1", "pay-bulk-2");
        keys.forEach(key -> console.payments.lose(key, "{\"lose\":\"" + key + "\"}"));
        Operator alice = operator("alice");
        alice.go("#/unknown", "Unknown outcomes");
        for (String key : keys) {
            alice.page.getByLabel("Select create-payment " + key).check();
        }
        alice.button("Settle together …").click();
        alice.page.locator("dialog input[value=didNotHappen]").check();
        alice.page.locator("dialog [name=reason]").fill("the provider's incident report");
        alice.button("Dry run").click();
        assertThat(alice.page.locator("dialog tbody tr")).hasCount(2);
        assertThat(alice.page.locator("dialog")).containsText("the next retry executes");
        assertThat(keys).allSatisfy(key -> assertThat(stateOf(console, key)).isEqualTo(State.UNKNOWN));
        alice.screenshot("bulk-dry-run");

        alice.page.locator("dialog [data-confirm]").click();
        assertThat(alice.heading("What was done")).isVisible();
        assertThat(keys).allSatisfy(key -> assertThat(stateOf(console, key)).isEqualTo(State.FAILED_RETRYABLE));
        alice.press("Escape");
        assertThat(alice.page.locator("dialog")).hasCount(0);
        assertThat(alice.link("pay-bulk-1")).hasCount(0);
    }

    @Test
    void live_figures_move_under_traffic_and_say_when_they_are_cut() {
        Operator alice = operator("alice");
        Locator executed = alice.page.locator(".chart .series-1 b").first();
        assertThat(alice.page.locator(".live")).hasText("live");
        for (int i = 0; i < 30; i++) {
            console.payments.send("traffic-" + i, "{\"traffic\":" + i + "}");
        }
        assertThat(executed).not().hasText("0");
        console.stopServing();
        try {
            assertThat(alice.alert()).containsText("The live figures are cut");
            alice.screenshot("figures-cut");
        } finally {
            console.serveAgain();
        }
        assertThat(alice.page.locator(".live")).hasText("live");
    }

    @Test
    void hostile_strings_are_shown_as_text() {
        console.payments.lose(HOSTILE, "{\"lose\":\"hostile\"}");
        new UnknownSeeds(console.store).named(HOSTILE + "scope", HOSTILE + "key", HOSTILE + "operation");
        console.payments.send("misused", "{\"first\":1}");
        console.payments.send("misused", "{\"second\":2}");
        Operator alice = operator("alice");
        alice.openUnknown(HOSTILE + "key");
        assertThat(alice.heading(HOSTILE + "operation")).isVisible();
        alice.openUnknown(HOSTILE);
        alice.page.locator("input[value=happened]").check();
        alice.page.getByLabel("Headers").fill("Content-Type: text/html\nX-Note: " + HOSTILE);
        alice.previewHappened("<script>alert(2)</script>", HOSTILE);
        assertThat(alice.page.locator(".preview .response")).containsText("<script>alert(2)</script>");
        alice.confirm();
        assertThat(alice.page.getByText("Settled: it happened")).isVisible();
        alice.button("Show the body …").click();
        alice.page.locator("dialog [name=reason]").fill(HOSTILE);
        alice.button("Show the body").click();
        assertThat(alice.page.locator("pre.response").last()).containsText("<script>alert(2)</script>");
        assertThat(alice.page.locator(".timeline")).containsText("A person read the recorded response");
        alice.screenshot("hostile-strings");
        alice.go("#/records", "Records");
        assertThat(alice.link(HOSTILE).first()).isVisible();
        alice.go("#/misuse", "Misused keys");
        assertThat(alice.page.locator("tbody tr")).hasCount(1);
        assertThat(alice.complaints).isEmpty();
    }

    @Test
    void every_page_is_accessible_in_light_in_dark_and_on_a_phone() {
        new UnknownSeeds(careful.store).twenty();
        Map<String, String> pages = Map.of(
                "#/", "Overview",
                "#/unknown", "Unknown outcomes",
                "#/records", "Records",
                "#/misuse", "Misused keys",
                "#/operations", "Operations",
                "#/settings", "Settings",
                "#/record/of-another-tab", "Open a record");
        for (Look look : Look.values()) {
            Page page = chromium.open(look);
            Operator alice = Operator.logIn(page, careful, "alice");
            pages.forEach((hash, heading) -> {
                alice.go(hash, heading);
                check(alice, heading, look);
            });
            alice.openUnknown("payout-1");
            alice.page.locator("input[value=happened]").check();
            check(alice, "Record", look);
            page.context().close();
        }
    }

    private static void check(Operator operator, String name, Look look) {
        assertThat(operator.page.locator(".loading")).hasCount(0);
        operator.screenshot(name.toLowerCase(Locale.ROOT).replace(' ', '-') + "-"
                + look.name().toLowerCase(Locale.ROOT));
        assertThat(operator.accessibilityFaults()).as(name + " in " + look).isEmpty();
        assertThat((Integer) operator.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth"))
                .as("what " + name + " is too wide for " + look)
                .isLessThanOrEqualTo(0);
        assertThat(operator.complaints).isEmpty();
    }
}
