package dev.semel.server.check.report;

/** Text within XML and HTML. */
final class Xml {

    private Xml() {}

    /** The text with markup escaped, and without the characters that XML 1.0 does not allow. */
    static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\t', '\n' -> out.appendCodePoint(c);
                default -> {
                    boolean allowed = c >= ' ' && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
                    out.appendCodePoint(allowed ? c : '\uFFFD');
                }
            }
        });
        return out.toString();
    }
}
