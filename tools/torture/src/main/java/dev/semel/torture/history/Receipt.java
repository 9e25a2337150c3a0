package dev.semel.torture.history;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of an answer that says what became of an operation.
 *
 * <p>Its text depends on what the provider did and on nothing else, so that it is the same whether the attempt itself, its
 * late answer or a lookup has recorded it.
 *
 * @param arrival the provider's name for the request that it answered
 * @param charged false when it was declined
 */
public record Receipt(String arrival, String meaning, boolean charged) {

    private static final Pattern TEXT =
            Pattern.compile("\\{\"status\":\"(charged|declined)\",\"arrival\":\"([^\"]+)\",\"meaning\":\"([^\"]+)\"}");

    public int status() {
        return charged ? 201 : 402;
    }

    public String text() {
        return "{\"status\":\"" + (charged ? "charged" : "declined") + "\",\"arrival\":\"" + arrival
                + "\",\"meaning\":\"" + meaning + "\"}";
    }

    /** Reads a body; empty when it is none, or not a whole one. */
    public static Optional<Receipt> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new Receipt(
                        matcher.group(2), matcher.group(3), matcher.group(1).equals("charged")))
                : Optional.empty();
    }
}
