package dev.semel.server.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration such as {@code 90m}, {@code 24h}, {@code 7d} or {@code PT36H}. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,9})([smhd])");

    @Override
    public Duration convert(String text) {
        Duration length = parsed(text);
        if (length.isNegative() || length.isZero()) {
            throw new TypeConversionException("'" + text + "' is not positive");
        }
        return length;
    }

    private static Duration parsed(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + text + "' is no duration such as 90m, 24h or 7d");
        }
    }
}
