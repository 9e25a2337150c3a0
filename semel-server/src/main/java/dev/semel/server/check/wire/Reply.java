package dev.semel.server.check.wire;

import java.time.Duration;

/** What came back for a request: an answer, or none. */
public sealed interface Reply permits Answer, NoAnswer {

    /** How long it took, from the last byte sent. */
    Duration elapsed();

    /** A few words for reports, such as {@code 201} or {@code no answer (connection closed)}. */
    String brief();
}
