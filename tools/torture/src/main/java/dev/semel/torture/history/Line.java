package dev.semel.torture.history;

import dev.semel.Identity;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as a line of text: when, what, and named details, such as
 * {@code 2030-01-01T00:00:00Z asked client=c1 try=1 scope=acme key=k1}.
 *
 * <p>Values are percent-encoded, so a line is one line whatever they hold; a detail that is null is left out.
 */
final class Line {

    private final Instant at;
    private final String kind;
    private final Map<String, String> details = new LinkedHashMap<>();

    Line(Instant at, String kind) {
        this.at = at;
        this.kind = kind;
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException when it is not one, as the last line of a process that was killed may be
     */
    static Line parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length < 2) {
            throw new IllegalArgumentException("not a line of a history: " + text);
        }
        Line line = new Line(instant(parts[0]), parts[1]);
        for (int i = 2; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("not a detail of a history's line: " + parts[i]);
            }
            String value = URLDecoder.decode(parts[i].substring(equals + 1), StandardCharsets.UTF_8);
            line.details.put(parts[i].substring(0, equals), value);
        }
        return line;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a history's line begins with a time, not with " + text, e);
        }
    }

    Line with(String name, @Nullable Object value) {
        if (value != null) {
            details.put(name, value.toString());
        }
        return this;
    }

    Line with(Identity identity) {
        return with("scope", identity.scope().value())
                .with("key", identity.key().value());
    }

    Instant at() {
        return at;
    }

    String kind() {
        return kind;
    }

    String text(String name) {
        String value = details.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a history's line of the kind " + kind + " has no " + name);
        }
        return value;
    }

    @Nullable
    String textOrNull(String name) {
        return details.get(name);
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }

    Identity identity() {
        return Identity.of(text("scope"), text("key"));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(at).append(' ').append(kind);
        details.forEach((name, value) ->
                text.append(' ').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return text.toString();
    }
}
