package dev.semel.server.gateway.config;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with places for what is known of a request, such as {@code https://pay.example/by-key/{key}}.
 *
 * <p>Braces have no other meaning: a name that is none of the places is a mistake.
 */
public record LookupTemplate(String text) {

    /** What a template can name. */
    public enum Place {
        /** The key, as the client sent it. */
        KEY("key"),
        /** The key that the gateway derived, and sent as {@code Semel-Downstream-Key}. */
        DOWNSTREAM_KEY("downstreamKey"),
        /** The owner of the key. */
        SCOPE("scope"),
        /** The field of the request's body that the operation is known by. */
        REFERENCE("reference");

        private final String label;

        Place(String label) {
            this.label = label;
        }

        private static Optional<Place> called(String label) {
            for (Place place : values()) {
                if (place.label.equals(label)) {
                    return Optional.of(place);
                }
            }
            return Optional.empty();
        }

        @Override
        public String toString() {
            return "{" + label + "}";
        }
    }

    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException when braces enclose something else than a place
     */
    public LookupTemplate {
        Matcher matcher = PLACE.matcher(text);
        while (matcher.find()) {
            if (Place.called(matcher.group(1)).isEmpty()) {
                throw new IllegalArgumentException("'" + matcher.group() + "' in '" + text
                        + "' is none of {key}, {downstreamKey}, {scope}, {reference}");
            }
        }
        String rest = matcher.replaceAll("");
        if (rest.indexOf('{') >= 0 || rest.indexOf('}') >= 0) {
            throw new IllegalArgumentException("'" + text + "' has a brace without its counterpart");
        }
    }

    /** The places that it names. */
    public Set<Place> places() {
        Set<Place> places = EnumSet.noneOf(Place.class);
        PLACE.matcher(text)
                .results()
                .forEach(match -> Place.called(match.group(1)).ifPresent(places::add));
        return places;
    }

    /** The text with a value in each place. */
    public String filled(Function<Place, String> values) {
        return PLACE.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(
                        Place.called(match.group(1)).map(values).orElse("")));
    }

    /** The text with a value in each place, as a part of a URL: everything but letters, digits and {@code -._~} is encoded. */
    public String filledEncoded(Function<Place, String> values) {
        return filled(place -> encoded(values.apply(place)));
    }

    private static String encoded(String value) {
        StringBuilder out = new StringBuilder(value.length() + 8);
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean unreserved = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
            if (unreserved) {
                out.append(c);
            } else {
                out.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return out.toString();
    }
}
