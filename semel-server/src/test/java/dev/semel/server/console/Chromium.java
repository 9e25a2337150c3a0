package dev.semel.server.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Chromium of this machine. */
final class Chromium implements AutoCloseable {

    /** Generous, because other work may hold both processors. */
    private static final double LIMIT_MILLIS = 60_000;

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Playwright playwright;
    private final Browser browser;

    /** What a page is looked at with. */
    enum Look {
        LIGHT(ColorScheme.LIGHT, 1280, 900),
        DARK(ColorScheme.DARK, 1280, 900),
        PHONE(ColorScheme.LIGHT, 390, 844);

        private final ColorScheme scheme;
        private final int width;
        private final int height;

        Look(ColorScheme scheme, int width, int height) {
            this.scheme = scheme;
            this.width = width;
            this.height = height;
        }
    }

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static Chromium launch() {
        Path executable = executable();
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setTimeout(LIMIT_MILLIS)
                        .setArgs(List.of("--no-sandbox")));
        return new Chromium(playwright, browser);
    }

    private static Path executable() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("The tests of the console need Chromium on the PATH, as one of "
                                + NAMES + ". On Debian: apt-get install chromium"));
    }

    /** A browser of one person, without the cookies of others. */
    Page open(Look look) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setColorScheme(look.scheme).setViewportSize(look.width, look.height));
        context.setDefaultTimeout(LIMIT_MILLIS);
        return context.newPage();
    }

    @Override
    public void close() {
        Stream.<AutoCloseable>of(browser, playwright).forEach(Chromium::close);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new IllegalStateException("Chromium could not be closed", e);
        }
    }
}
