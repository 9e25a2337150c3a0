package dev.semel.engine;

import dev.semel.Lease;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The line in the log about a record that has become unknown: one for each such change, from the process that made it.
 *
 * <p>A retry that finds the record unknown and a reconciler that asks about it change nothing of that and log nothing here.
 * A log that fails breaks no execution.
 */
final class UnknownLog {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Set<String> attended = ConcurrentHashMap.newKeySet();

    /** Adds operations that a resolver of this process is asked about. */
    void attend(Set<String> operations) {
        attended.addAll(operations);
    }

    boolean isAttended(String operation) {
        return attended.contains(operation);
    }

    void becameUnknown(String operation, Lease lease, @Nullable String reason) {
        try {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the outcome of " + operation + " is unknown: scope "
                            + lease.identity().scope() + ", " + lease.identity().key() + ", fence " + lease.fence()
                            + ", reason " + reason + "; requests with this key are refused until it is settled. Next: "
                            + next(operation, lease));
        } catch (RuntimeException | Error broken) {
            // The log is the only place where this could be said.
            return;
        }
    }

    private String next(String operation, Lease lease) {
        return isAttended(operation)
                ? "the reconciler of this process asks the resolver of " + operation
                : "no resolver of " + operation + " is configured in this process; unless another process has one, find"
                        + " out and settle it: semel unknown show "
                        + lease.identity().scope() + " "
                        + lease.identity().key();
    }
}
