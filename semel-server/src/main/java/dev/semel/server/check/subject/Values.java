package dev.semel.server.check.subject;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fresh values for one intent: each placeholder of a text gets one, and the same name the same value. */
final class Values {

    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{\\{\\s*(uuid|int|http-date)(?::([A-Za-z0-9_-]+))?\\s*}}");
    private static final Pattern ANY_PLACEHOLDER = Pattern.compile("\\{\\{[^{}]*}}");
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
    private static final int INT_BOUND = 1_000_000_000;

    private final Random random;
    private final Map<String, String> named = new HashMap<>();
    private final List<String> made = new ArrayList<>();

    Values(Random random) {
        this.random = random;
    }

    /**
     * Replaces placeholders.
     *
     * @throws IllegalArgumentException for a placeholder that does not exist
     */
    String fill(String text) {
        String filled = PLACEHOLDER
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), found.group(2))));
        Matcher unknown = ANY_PLACEHOLDER.matcher(filled);
        if (unknown.find()) {
            throw new IllegalArgumentException("the placeholder " + unknown.group()
                    + " does not exist; there are {{uuid}}, {{int}}, {{http-date}}, and {{uuid:NAME}} for a"
                    + " value that is used again");
        }
        return filled;
    }

    private String value(String kind, @Nullable String name) {
        if (name == null) {
            return make(kind);
        }
        return named.computeIfAbsent(kind + ":" + name, same -> make(kind));
    }

    private String make(String kind) {
        String value = switch (kind) {
            case "uuid" -> uuid(random);
            case "int" -> String.valueOf(100_000_000 + random.nextInt(INT_BOUND));
            default -> HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC));
        };
        made.add(value);
        return value;
    }

    /** The values, so that a reproduction can replace them by others. */
    List<String> made() {
        return List.copyOf(made);
    }

    static String uuid(Random random) {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & ~0xC000_0000_0000_0000L) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}
