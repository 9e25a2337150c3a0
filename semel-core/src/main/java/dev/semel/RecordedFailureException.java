package dev.semel;

/** The replay of a recorded failure: an earlier attempt of this intent threw, and that is its answer. */
public final class RecordedFailureException extends RuntimeException {

    private final String type;

    public RecordedFailureException(String type, String message) {
        super(message);
        this.type = type;
    }

    /** The class name of the exception that the executing attempt threw. */
    public String type() {
        return type;
    }
}
