package dev.semel.server.check.subject;

/** How keys are sent: in which header, and whether in quotes, as an RFC 9651 String, or bare. */
public record KeyHeader(String name, boolean quoted) {

    public String value(String key) {
        return quoted ? '"' + key + '"' : key;
    }

    public KeyHeader withQuotes(boolean other) {
        return new KeyHeader(name, other);
    }
}
