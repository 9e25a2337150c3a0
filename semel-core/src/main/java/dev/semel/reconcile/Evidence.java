package dev.semel.reconcile;

/**
 * The reason for which an unknown outcome was settled: stored with the record.
 *
 * @param source who says so, such as {@code provider-webhook}, {@code resolver:create-payment} or {@code person:alice}
 * @param detail what was seen, such as the provider's charge id or a ticket
 */
public record Evidence(String source, String detail) {

    /** Enough for an identifier and a sentence; a document belongs elsewhere. */
    public static final int MAX_LENGTH = 1000;

    public Evidence {
        if (source.isBlank() || source.length() > MAX_LENGTH || detail.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "evidence needs a source, and at most " + MAX_LENGTH + " characters in source and detail");
        }
        if (source.indexOf('\0') >= 0 || detail.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("evidence must not contain NUL characters");
        }
    }

    /** Cuts a detail of unknown length to what fits, and replaces what no store can hold. */
    public static String abridged(String detail) {
        String holdable = detail.replace('\0', ' ');
        if (holdable.length() <= MAX_LENGTH) {
            return holdable;
        }
        int end = Character.isHighSurrogate(holdable.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
        return holdable.substring(0, end);
    }
}
