package dev.semel.spring;

import java.util.Comparator;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Methods and a path of requests, ordered from the most specific to the least. In properties, methods are written
 * {@code PUT|PATCH}, since commas separate patterns there.
 *
 * @param methods separated by commas, or {@code *}
 */
public record RequestPattern(String methods, String path) implements Comparable<RequestPattern> {

    private static final Comparator<RequestPattern> ORDER = Comparator.comparing(RequestPattern::isEverything)
            .thenComparing(RequestPattern::isOpen)
            .thenComparing(Comparator.comparingInt(RequestPattern::segments).reversed())
            .thenComparing(RequestPattern::wildcards)
            .thenComparing(pattern -> pattern.methods().equals("*"))
            .thenComparing(RequestPattern::methodCount)
            .thenComparing(RequestPattern::path)
            .thenComparing(RequestPattern::methods);

    static RequestPattern parse(String property, String text) {
        String[] parts = text.strip().split("\\s+", -1);
        if (parts.length != 2) {
            throw new InvalidConfigurationPropertyValueException(
                    property, text, "Write methods and a path, such as \"POST /payments\" or \"PUT|PATCH /orders/*\".");
        }
        return new RequestPattern(parts[0].replace('|', ','), parts[1]);
    }

    private boolean isEverything() {
        return path.equals("*") || path.equals("/**");
    }

    private boolean isOpen() {
        return path.endsWith("/**");
    }

    private int segments() {
        return (int) path.chars().filter(c -> c == '/').count();
    }

    private long wildcards() {
        return path.chars().filter(c -> c == '*').count();
    }

    private int methodCount() {
        return methods.split(",", -1).length;
    }

    @Override
    public int compareTo(RequestPattern other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return methods + " " + path;
    }
}
