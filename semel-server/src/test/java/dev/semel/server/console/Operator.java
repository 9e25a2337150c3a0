package dev.semel.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** A person in front of the console. */
final class Operator {

    private static final Path SCREENSHOTS = Path.of("target", "console-screenshots");

    /** More than any page has to step through. */
    private static final int MOST_TABS = 300;

    final Page page;
    private final String url;

    /** What the browser itself complained about: failed scripts, and what the content security policy refused. */
    final List<String> complaints = new CopyOnWriteArrayList<>();

    private Operator(Page page, String url) {
        this.page = page;
        this.url = url;
        page.onPageError(complaints::add);
        page.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")) {
                complaints.add(message.text());
            }
        });
        page.onDialog(dialog -> {
            complaints.add("a script opened a dialog: " + dialog.message());
            dialog.dismiss();
        });
    }

    /** Logs a person in, with the keyboard. */
    static Operator logIn(Page page, TestConsole console, String name) {
        Operator operator = new Operator(page, console.url());
        page.navigate(console.url());
        page.getByLabel("Token").focus();
        page.keyboard().insertText(console.token(name));
        page.keyboard().press("Enter");
        assertThat(operator.heading("Overview")).isVisible();
        return operator;
    }

    /** Goes to an address of the console, such as {@code #/unknown}. */
    void go(String hash, String heading) {
        page.navigate(url + hash);
        assertThat(heading(heading)).isVisible();
    }

    Locator heading(String name) {
        return page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    Locator alert() {
        return page.getByRole(AriaRole.ALERT);
    }

    /** Opens the record of a key from the queue of unknown outcomes. */
    void openUnknown(String key) {
        go("#/unknown", "Unknown outcomes");
        page.locator("tr")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText(key, new Page.GetByTextOptions().setExact(true))))
                .locator("[data-open]")
                .click();
        assertThat(heading("Settle this outcome")).isVisible();
    }

    /** Fills in that it happened, up to the preview. */
    void previewHappened(String body, String reason) {
        page.locator("input[value=happened]").check();
        page.getByLabel("Status").fill("201");
        page.getByLabel("Body").fill(body);
        page.locator("form.settle [name=reason]").fill(reason);
        button("Preview what the client gets").click();
        assertThat(page.locator("[data-confirm]")).isEnabled();
    }

    void confirm() {
        page.locator("[data-confirm]").click();
    }

    void press(String... keys) {
        for (String key : keys) {
            page.keyboard().press(key);
        }
    }

    void type(String text) {
        page.keyboard().insertText(text);
    }

    /** Steps to an element as a person without a mouse does. */
    void tabTo(Locator target) {
        for (int i = 0; i < MOST_TABS; i++) {
            if ((Boolean) target.evaluate("element => element === document.activeElement")) {
                return;
            }
            page.keyboard().press("Tab");
        }
        throw new AssertionError("the Tab key does not reach " + target);
    }

    void screenshot(String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(SCREENSHOTS.resolve(name + ".png"))
                .setFullPage(true));
    }

    /** What axe finds serious or critical on the page as it is: the rule and the first element of each. */
    @SuppressWarnings("unchecked")
    List<String> accessibilityFaults() {
        page.evaluate(axe());
        return (List<String>) page.evaluate("""
                async () => (await axe.run()).violations
                    .filter(violation => ['serious', 'critical'].includes(violation.impact))
                    .map(violation => violation.id + ': ' + violation.nodes[0].html)
                """);
    }

    private static String axe() {
        try (InputStream in = Operator.class.getResourceAsStream("/axe/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
