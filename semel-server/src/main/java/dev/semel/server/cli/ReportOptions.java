package dev.semel.server.cli;

import dev.semel.server.check.RunResult;
import dev.semel.server.check.report.HtmlReport;
import dev.semel.server.check.report.JsonReport;
import dev.semel.server.check.report.JunitReport;
import dev.semel.server.check.report.SarifReport;
import dev.semel.server.check.report.TerminalReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where {@code semel check} reports to. */
final class ReportOptions {

    /** Where a JDK has a console also without a terminal, the launcher says whether there is one. */
    private static final int CONSOLE_WITHOUT_TERMINAL = 22;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write JUnit's XML.")
    private @Nullable Path junit;

    @Option(names = "--json-report", paramLabel = "FILE", description = "Write JSON; --schema prints its schema.")
    private @Nullable Path json;

    @Option(names = "--sarif", paramLabel = "FILE", description = "Write SARIF 2.1.0.")
    private @Nullable Path sarif;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page to send to a colleague.")
    private @Nullable Path html;

    @Option(
            names = "--color",
            paramLabel = "auto|always|never",
            defaultValue = "auto",
            description = "Whether the terminal gets colours (${DEFAULT-VALUE}).")
    private String color = "auto";

    @Option(names = "--strict", description = "A broken SHOULD counts like a broken MUST.")
    private boolean strict;

    /** @throws IllegalArgumentException when an option has a value that it cannot have */
    void check() {
        if (!List.of("auto", "always", "never").contains(color)) {
            throw new IllegalArgumentException("--color is '" + color + "', it must be auto, always or never");
        }
    }

    boolean strict() {
        return strict;
    }

    void write(RunResult run, PrintWriter out, String version) throws IOException {
        new TerminalReport(out, coloured()).print(run);
        if (junit != null) {
            write(junit, JunitReport.of(run));
        }
        if (json != null) {
            write(json, JsonReport.of(run));
        }
        if (sarif != null) {
            write(sarif, SarifReport.of(run, version));
        }
        if (html != null) {
            write(html, HtmlReport.of(run));
        }
    }

    private static void write(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text);
    }

    private boolean coloured() {
        return switch (color) {
            case "always" -> true;
            case "never" -> false;
            default -> System.getenv("NO_COLOR") == null && hasTerminal();
        };
    }

    @SuppressWarnings("SystemConsoleNull")
    private static boolean hasTerminal() {
        return Boolean.getBoolean("semel.terminal")
                || (Runtime.version().feature() < CONSOLE_WITHOUT_TERMINAL && System.console() != null);
    }
}
