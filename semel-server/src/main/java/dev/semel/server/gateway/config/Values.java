package dev.semel.server.gateway.config;

import dev.semel.Retention;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Understands the values of a configuration file. Each refuses with an {@link IllegalArgumentException} that says what is right. */
final class Values {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})\\s*(|B|KiB|MiB)");

    private Values() {}

    static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no duration; use a number with ms, s, m, h or d, such as 30s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    static Duration positive(String text) {
        Duration length = duration(text);
        if (length.isZero()) {
            throw new IllegalArgumentException("'" + text + "' is not positive");
        }
        return length;
    }

    /** A duration, or the name of a preset. */
    static Duration retention(String text) {
        for (Retention preset : Retention.values()) {
            if (preset.name().equalsIgnoreCase(text)) {
                return preset.duration();
            }
        }
        if (DURATION.matcher(text).matches()) {
            return positive(text);
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no retention; use a duration such as 24h, or one of " + names(Retention.class));
    }

    static int size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no size; use bytes, or a number with KiB or MiB");
        }
        long factor =
                matcher.group(2).equals("MiB") ? 1 << 20 : matcher.group(2).equals("KiB") ? 1 << 10 : 1;
        long size = Long.parseLong(matcher.group(1)) * factor;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "' is too large");
        }
        return (int) size;
    }

    static int status(String text) {
        if (!text.matches("[1-5][0-9][0-9]")) {
            throw new IllegalArgumentException("'" + text + "' is no HTTP status, such as 503");
        }
        return Integer.parseInt(text);
    }

    static int number(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("'" + text + "' is no number");
        }
        return Integer.parseInt(text);
    }

    static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }

    /** A constant, written in lower case with dashes. */
    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        for (E each : type.getEnumConstants()) {
            if (name(each).equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is none of " + names(type));
    }

    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> String names(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(Values::name).collect(Collectors.joining(", "));
    }
}
