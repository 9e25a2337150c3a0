package dev.semel;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * A named thing that a service does once per intent, such as {@code create-payment}, with its policy.
 *
 * @param name appears in records and metrics: lower-case letters, digits, dots and dashes
 * @param retention how long a settled record is kept, counted from settlement by the store's clock
 * @param lease how long the right to execute lasts without a heartbeat; a crashed attempt is noticed after this time
 * @param maxWait how long a duplicate of a running request waits for its result; zero refuses it at once
 * @param reexecutable whether a crashed attempt may simply be executed again: only where the effects commit together
 *     with the record, or are idempotent themselves, or are recorded steps
 * @param failures what an exception means when neither its type nor the rule says
 * @param rule the operation's own reading of its exceptions
 * @param lateRetries what a retry gets that comes after the retention
 * @param claim when a transaction that has nothing but the work claims the key
 */
public record Operation(
        String name,
        Duration retention,
        Duration lease,
        Duration maxWait,
        boolean reexecutable,
        Failures failures,
        Failures.Rule rule,
        LateRetries lateRetries,
        ClaimTime claim) {

    /** Long enough for a pause of the virtual machine or a slow network, short enough for a client that waits. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** A heartbeat comes three times a lease; below this the heartbeats themselves would be the load. */
    static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    /** A century: any longer is a mistake, and instants beyond it do not fit every store's clock. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,99}");

    public Operation {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("operation name '" + name
                    + "': use 1 to 100 lower-case letters, digits, dots and dashes, such as create-payment");
        }
        require(name, "retention", retention, Duration.ofMillis(1));
        require(name, "lease", lease, SHORTEST_LEASE);
        require(name, "maxWait", maxWait, Duration.ZERO);
    }

    private static void require(String name, String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("operation " + name + ": " + what + " is " + value
                    + ", it must be between " + least + " and " + LONGEST);
        }
    }

    /** An operation with the defaults: retention 24 h, lease 30 s, no waiting, crash means unknown, failures replay. */
    public static Operation named(String name) {
        return new Operation(
                name,
                Retention.DEFAULT.duration(),
                DEFAULT_LEASE,
                Duration.ZERO,
                false,
                Failures.REPLAY,
                Failures.Rule.NONE,
                LateRetries.BY_KEY,
                ClaimTime.EARLY);
    }

    /**
     * Sets the retention. {@link Retention#PAYMENT} also sets {@link Failures.Rule#SAFE}, where neither a rule nor another
     * default for failures was set; a call of {@link #failures} or {@link #failureRule} afterwards replaces it.
     */
    public Operation retention(Retention preset) {
        Operation retained = retention(preset.duration());
        boolean safe = preset == Retention.PAYMENT && rule == Failures.Rule.NONE && failures == Failures.REPLAY;
        return safe ? retained.failureRule(SafeFailures.IMPLIED) : retained;
    }

    public Operation retention(Duration newRetention) {
        return new Operation(name, newRetention, lease, maxWait, reexecutable, failures, rule, lateRetries, claim);
    }

    public Operation lease(Duration newLease) {
        return new Operation(name, retention, newLease, maxWait, reexecutable, failures, rule, lateRetries, claim);
    }

    /** Lets duplicates of a running request wait this long for its result before they are refused. */
    public Operation waitUpTo(Duration newMaxWait) {
        return new Operation(name, retention, lease, newMaxWait, reexecutable, failures, rule, lateRetries, claim);
    }

    /** Declares that executing again after a crash is safe. */
    public Operation reexecutableAfterCrash() {
        return new Operation(name, retention, lease, maxWait, true, failures, rule, lateRetries, claim);
    }

    /** Sets what an exception means; the rule that came with a preset of the retention no longer applies. */
    public Operation failures(Failures newFailures) {
        Failures.Rule own = rule == SafeFailures.IMPLIED ? Failures.Rule.NONE : rule;
        return new Operation(name, retention, lease, maxWait, reexecutable, newFailures, own, lateRetries, claim);
    }

    /** Whether the application has set a rule for exceptions itself. */
    public boolean hasOwnRule() {
        return rule != Failures.Rule.NONE && rule != SafeFailures.IMPLIED;
    }

    /** Says what a retry gets that comes after the retention. */
    public Operation lateRetries(LateRetries newLateRetries) {
        return new Operation(name, retention, lease, maxWait, reexecutable, failures, rule, newLateRetries, claim);
    }

    /** Says when {@link Semel#executeInTransaction} and routes in a transaction claim the key; nothing else looks at it. */
    public Operation claim(ClaimTime newClaim) {
        return new Operation(name, retention, lease, maxWait, reexecutable, failures, rule, lateRetries, newClaim);
    }

    public Operation failureRule(Failures.Rule newRule) {
        return new Operation(name, retention, lease, maxWait, reexecutable, failures, newRule, lateRetries, claim);
    }

    /** What a retry gets that comes when the retention of its record has passed. */
    public enum LateRetries {
        /**
         * A refusal where the store can tell that it is late: the key carries its time, or the store keeps tombstones.
         * Otherwise an execution, as if the key were new.
         */
        BY_KEY,
        /**
         * A refusal where the store keeps tombstones, or the caller says when the request was first sent; a time in the key does
         * not count. For messages: they may wait in a queue for longer than the retention before they are first handled.
         */
        BY_TOMBSTONE,
        /** As {@link #BY_KEY}; and a refusal also for as long as the store has anything of the record, such as a row that is not pruned yet. */
        REFUSE,
        /** An execution, as if the key were new. */
        EXECUTE
    }

    /** When a key is claimed whose effects all commit in one transaction with its record. */
    public enum ClaimTime {
        /** Before the work: a duplicate waits for the transaction that is under way, or is refused. */
        EARLY,
        /**
         * After the work, where the store can: the record is written once, completed. Duplicates that come at the same time all do the
         * work; one of them commits, and the others roll back and replay its response. Only for work whose effects are all in the
         * transaction, and which a duplicate may begin in vain.
         */
        LATE
    }
}
