package dev.semel.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The charts of a report as one SVG picture that needs nothing else: no script, no font, no style sheet. */
public final class SvgReport {

    private static final int WIDTH = 860;
    private static final int MARGIN = 28;
    private static final int NAMES = 225;

    /** Room for what is written behind the longest bar. */
    private static final int LABELS = 150;

    private static final int BARS = WIDTH - 2 * MARGIN - NAMES - LABELS;
    private static final int HEAD = 44;
    private static final int DETAIL_LINE = 17;

    /** So many characters of the small text fit between the margins. */
    private static final int DETAIL_CHARACTERS = 125;

    private static final int TITLE = 40;
    private static final int LINE = 27;
    private static final int THICKNESS = 17;
    private static final int BETWEEN = 26;

    private static final String FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
    private static final String OWN = "#2563a8";
    private static final String OTHER = "#b4bcc6";
    private static final String TEXT = "#1f2730";
    private static final String FAINT = "#66707c";
    private static final String MARK = "#10243b";

    private final StringBuilder svg = new StringBuilder();

    private SvgReport() {}

    /**
     * Draws charts one below the other.
     *
     * @param heading what all charts have in common
     * @param detail under what circumstances they came about
     */
    public static String of(String heading, String detail, List<Chart> charts) {
        return new SvgReport().draw(heading, detail, charts);
    }

    private String draw(String heading, String detail, List<Chart> charts) {
        List<String> lines = wrapped(detail);
        int height = HEAD + lines.size() * DETAIL_LINE + MARGIN;
        for (Chart chart : charts) {
            height += TITLE + chart.bars().size() * LINE + BETWEEN;
        }
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"%s\" role=\"img\">",
                WIDTH, height, WIDTH, height, escape(FONT));
        add("<title>%s</title>", escape(heading));
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        text(MARGIN, MARGIN + 10, 19, TEXT, "start", 600, heading);
        int top = MARGIN + 31;
        for (String line : lines) {
            text(MARGIN, top, 12, FAINT, "start", 400, line);
            top += DETAIL_LINE;
        }
        for (Chart chart : charts) {
            top = chart(chart, top);
        }
        svg.append("</svg>\n");
        return svg.toString();
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > DETAIL_CHARACTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private int chart(Chart chart, int from) {
        add("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#e3e7eb\"/>", MARGIN, from, WIDTH - MARGIN, from);
        text(MARGIN, from + 24, 14, TEXT, "start", 600, chart.title());
        text(WIDTH - MARGIN, from + 24, 12, FAINT, "end", 400, chart.unit());
        double longest = chart.bars().stream()
                .mapToDouble(bar -> bar.spread().greatest())
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        int top = from + TITLE;
        int zero = MARGIN + NAMES;
        for (Chart.Bar bar : chart.bars()) {
            double scale = longest > 0 ? BARS / longest : 0;
            double end = zero + bar.spread().median() * scale;
            double middle = top + LINE / 2.0;
            text(zero - 10, (int) middle + 4, 12.5, TEXT, "end", bar.own() ? 600 : 400, bar.name());
            add(
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>",
                    zero, middle - THICKNESS / 2.0, Math.max(end - zero, 1), THICKNESS, bar.own() ? OWN : OTHER);
            whisker(zero + bar.spread().least() * scale, zero + bar.spread().greatest() * scale, middle);
            double behind = Math.max(end, zero + bar.spread().greatest() * scale) + 8;
            text((int) behind, (int) middle + 4, 12, TEXT, "start", 400, bar.label());
            top += LINE;
        }
        return top + BETWEEN;
    }

    private void whisker(double least, double greatest, double middle) {
        add(
                "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1fM%.1f %.1fV%.1f\" stroke=\"%s\" stroke-opacity=\"0.7\" fill=\"none\"/>",
                least, middle - 4, middle + 4, least, middle, greatest, greatest, middle - 4, middle + 4, MARK);
    }

    private void text(int x, int y, double size, String colour, String anchor, int weight, String text) {
        add(
                "<text x=\"%d\" y=\"%d\" font-size=\"%s\" fill=\"%s\" text-anchor=\"%s\" font-weight=\"%d\">%s</text>",
                x, y, Double.toString(size), colour, anchor, weight, escape(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
