package dev.semel;

import java.time.Duration;

/** How long a settled record is kept, as presets; any other {@link Duration} will do as well. */
public enum Retention {
    /** A weekend and the working days around it, in which a person may press "retry" on a failed payment run. */
    PAYMENT(Duration.ofDays(7)),
    ORDER(Duration.ofHours(24)),
    EMAIL(Duration.ofHours(1)),
    /** Automatic retries of an API client; people take longer. */
    API(Duration.ofMinutes(5)),
    /** Longer than the large webhook senders go on retrying: three days. */
    WEBHOOK(Duration.ofDays(7)),
    DEFAULT(Duration.ofHours(24));

    private final Duration duration;

    Retention(Duration duration) {
        this.duration = duration;
    }

    public Duration duration() {
        return duration;
    }

    /** What pruning does with a record whose retention has passed. */
    public enum Expiry {
        /** Deletes it. */
        DELETE,
        /** Marks it expired, drops its response, and keeps the rest for audit. */
        MARK
    }
}
