package dev.semel.http.key;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The key of OASIS Repeatable Requests 1.0: {@code Repeatability-Request-ID}, which a client sends together with the time of its
 * first attempt, in {@code Repeatability-First-Sent}.
 */
public final class RepeatableRequestKey implements KeyStrategy {

    public static final String REQUEST_ID = "Repeatability-Request-ID";
    public static final String FIRST_SENT = "Repeatability-First-Sent";
    public static final String CLIENT_ID = "Repeatability-Client-ID";

    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT)
            .withZone(ZoneOffset.UTC);

    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private static final KeyStrategy ID = IdempotencyKeyHeader.bare(REQUEST_ID);

    @Override
    public KeyResult resolve(KeyInput input) {
        KeyResult id = ID.resolve(input);
        if (!(id instanceof KeyResult.Found)) {
            return id;
        }
        if (input.header(CLIENT_ID).size() > 1) {
            return new KeyResult.Invalid("the header " + CLIENT_ID + " was sent more than once; send it once");
        }
        return firstSent(input).isPresent()
                ? id
                : new KeyResult.Invalid("the header " + FIRST_SENT + " must be sent once with " + REQUEST_ID
                        + ", and the same on every retry: the time of the first attempt as an HTTP date, such as"
                        + " Tue, 15 Nov 1994 08:12:31 GMT");
    }

    /**
     * The time of the first attempt, by the client's clock; empty where the header is missing, repeated or malformed. A year that no
     * clock says becomes the nearest one that it may: too early and too late are refused all the same.
     */
    public static Optional<Instant> firstSent(KeyInput input) {
        List<String> values = input.header(FIRST_SENT);
        if (values.size() != 1) {
            return Optional.empty();
        }
        try {
            Instant time = IMF_FIXDATE.parse(values.get(0).strip(), Instant::from);
            return Optional.of(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LATEST) ? LATEST : time);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether a client asks for a repeatable request. */
    public static boolean isIn(KeyInput input) {
        return !input.header(REQUEST_ID).isEmpty();
    }
}
