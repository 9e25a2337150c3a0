package dev.semel.http;

/** What is sent to the client after its handler ran and the record was settled. */
public sealed interface Ending {

    /** What the handler produced: its response, or its failure in the way that the transport treats failures. */
    record AsProduced() implements Ending {}

    /** This answer, and nothing of what the handler produced. */
    record Replacement(Answer answer) implements Ending {}
}
