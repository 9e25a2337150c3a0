package dev.semel.fingerprint;

/** A body that asks for more than {@link CanonicalJson.Limits} allows; the message is fit for the client that sent it. */
public final class BodyLimitException extends RuntimeException {

    /** Which limit was exceeded. */
    public enum Limit {
        SIZE,
        DEPTH,
        NUMBER
    }

    private final Limit limit;

    private BodyLimitException(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    static BodyLimitException size(int bytes, int allowed) {
        return new BodyLimitException(
                Limit.SIZE, "the body has " + bytes + " bytes, at most " + allowed + " are allowed for JSON");
    }

    static BodyLimitException depth(int allowed) {
        return new BodyLimitException(Limit.DEPTH, "the JSON body is nested more than " + allowed + " levels deep");
    }

    static BodyLimitException number(int length, int allowed) {
        return new BodyLimitException(
                Limit.NUMBER,
                "the JSON body has a number of " + length + " characters, at most " + allowed + " are allowed");
    }

    public Limit limit() {
        return limit;
    }
}
