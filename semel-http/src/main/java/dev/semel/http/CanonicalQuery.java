package dev.semel.http;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form of a query in which the order of different names does not count: {@code a=1&b=2} equals {@code b=2&a=1}, and
 * {@code a=%7E} equals {@code a=~}. The order of the values of one name counts, as does the difference between {@code a}
 * and {@code a=}.
 */
final class CanonicalQuery {

    private CanonicalQuery() {}

    static String of(@Nullable String rawQuery) {
        if (rawQuery == null || rawQuery.isEmpty()) {
            return "";
        }
        return Arrays.stream(rawQuery.split("&"))
                .filter(pair -> !pair.isEmpty())
                .map(Pair::of)
                .sorted(Comparator.comparing(Pair::name))
                .map(Pair::text)
                .collect(Collectors.joining("&"));
    }

    private record Pair(String name, @Nullable String value) {

        static Pair of(String raw) {
            int equals = raw.indexOf('=');
            return equals < 0
                    ? new Pair(part(raw), null)
                    : new Pair(part(raw.substring(0, equals)), part(raw.substring(equals + 1)));
        }

        private static String part(String raw) {
            return PercentCoding.normalize(raw.replace('+', ' '));
        }

        String text() {
            return value == null ? name : name + "=" + value;
        }
    }
}
