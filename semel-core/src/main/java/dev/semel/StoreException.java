package dev.semel;

/**
 * The store failed, could not be reached, or did not answer in time.
 *
 * <p>Thrown from a claim it means that nothing was executed. What the store had been asked to write may or may not have
 * been written.
 */
public class StoreException extends RuntimeException {

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
