package dev.semel.torture.bugs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A mistake in the protocol that others have made, and that can be planted to see whether the checker notices. */
public enum Bug {
    TAKEOVER_ON_EXPIRY("an expired lease is taken over by the next request, whatever its attempt may have done", "I5"),
    NO_SETTLE_WINDOW("a lookup that finds nothing reopens the key at once", "I6"),
    UNFENCED_SETTLEMENT("a settlement writes to the record although another attempt holds its lease by now", "I1"),
    APPLICATION_CLOCK("the age of a record is measured by the application's clock, which is wrong by an hour", "I6"),
    RELEASE_AFTER_FAILED_WRITE("when the completion cannot be written, the key is released for the next request", "I1"),
    UNSCOPED_KEY("the tenant is not part of a record's identity", "I9"),
    TRUNCATED_RESPONSE("only the first bytes of a response are recorded", "I3"),
    DISPATCH_WHILE_DOWN("a request is executed although the store did not answer its claim", "I12"),
    FENCE_RESET_ON_REUSE("fences start again when a key is used again after its retention", "I2"),
    WAITER_DELETES("a request that finds another running deletes its record to get on", "I12"),
    MISMATCH_IGNORED("the fingerprint is not compared", "I7"),
    GUESSED_NOT_EXECUTED("a request that finds an unknown outcome declares it not executed", "I6"),
    TIMEOUT_IS_FAILURE("a provider that does not answer in time is taken to have done nothing", "I1"),
    NO_SWEEPER("records of vanished attempts are left as they are", "I11"),
    SWAPPED_ANSWERS("two callers whose calls share a batch get each other's answers", "I12"),
    BATCH_NOT_COMMITTED("callers get confirmations for a batch that is rolled back", "I12"),
    TWINS_GRANTED("two claims of one key that share a batch are both granted", "I1"),
    LATE_RETRY_EXECUTES("a retry that comes after the retention of its key executes again", "I1");

    private final String description;
    private final String invariant;

    Bug(String description, String invariant) {
        this.description = description;
        this.invariant = invariant;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String description() {
        return description;
    }

    /** The invariant that it breaks in any case; most break others too. */
    public String invariant() {
        return invariant;
    }

    /** The bug with this label. */
    public static Optional<Bug> ofLabel(String label) {
        return Arrays.stream(values()).filter(bug -> bug.label().equals(label)).findFirst();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(Bug::label).toList();
    }
}
