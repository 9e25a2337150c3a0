package dev.semel;

/** A key that cannot identify an intent; the message says why and never contains the key. */
public final class InvalidKeyException extends IllegalArgumentException {

    public InvalidKeyException(String message) {
        super(message);
    }
}
