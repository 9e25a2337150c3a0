package dev.semel;

/**
 * Why somebody is sure: stored with every settlement of an unknown outcome.
 *
 * @param source who says so, such as {@code provider-webhook}, {@code resolver:create-payment} or {@code person:alice}
 * @param detail what they saw, such as the provider's charge id or a ticket
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

    /** Evidence with a detail that somebody else wrote: cut to what fits, and without what no store can hold. */
    public static Evidence abridged(String source, String detail) {
        String holdable = detail.replace('\0', ' ');
        if (holdable.length() <= MAX_LENGTH) {
            return new Evidence(source, holdable);
        }
        int end = Character.isHighSurrogate(holdable.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
        return new Evidence(source, holdable.substring(0, end));
    }
}
