package dev.semel.spring;

import dev.semel.Failures;
import dev.semel.Operation.ClaimTime;
import dev.semel.Operation.LateRetries;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.Profile;
import dev.semel.http.RefusedReplay;
import dev.semel.http.StoreDown;
import dev.semel.key.KeyHygiene;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * The policy of an operation in properties. Settings that are left out are taken from {@code semel.defaults}, and from the
 * library's defaults.
 *
 * @param match requests that belong to the operation, such as "POST /payments", "PUT|PATCH /orders/*" or "POST /api/**"
 * @param mayBeUnused whether the application may start although nothing refers to the operation, because code refers to it
 *     later, or its controller is not always present; otherwise the start fails, since the name may be misspelt
 * @param key how the key is found: required or optional (both in the header), content (a digest of the request),
 *     field:/order/id (a field of the JSON body), bean:oncePerDay (a bean of type KeyStrategy), or class:shop.OncePerDay (a
 *     class with a constructor without arguments)
 * @param keyUserAction the action that the key is unique for, together with the authenticated user: the same key of another
 *     user or for another action is another intent
 * @param keyTimeWindow the window of time that the key is unique for: the same key in the next window is another intent
 * @param profile the dialect that clients speak: standard (the Idempotency-Key header and problems of RFC 9457), stripe (what
 *     Stripe's libraries expect) or oasis (OASIS Repeatable Requests 1.0)
 * @param strictKeys whether only keys are accepted that are an RFC 9651 String, such as "abc" with its quotes
 * @param keyRules what is required of keys beyond their syntax
 * @param keyHygiene how keys are treated that look like personal data or are easy to guess: warn (they are accepted), refuse
 *     (400) or ignore; keys that are derived from the request are not inspected
 * @param retention how long a record is kept: a duration such as 24h, or payment, order, email, api or webhook
 * @param lateRetries what a retry gets that comes after the retention: by-key (refused with 412 where the key carries its time or
 *     the store keeps tombstones, otherwise executed), by-tombstone (refused where the store keeps tombstones), refuse (as
 *     by-key, and for as long as the store has anything of the record) or execute
 * @param lease how long the right to execute lasts without a heartbeat; a crashed attempt is noticed after this time
 * @param maxWait how long a duplicate of a running request waits for its result before it is refused
 * @param inProgress the answer to a duplicate of a running request: conflict (409) or accepted (202)
 * @param failures what an exception or a status from 500 means: replay, retry or reconcile
 * @param failureRule what exceptions mean before failures says it: safe (a call that was never sent was not executed, one whose
 *     answer is missing is unknown; the default with retention payment, unless failures is set), none, or bean:NAME or
 *     class:NAME of type Failures.Rule
 * @param responseRule what responses mean, where the status alone does not say it: bean:NAME or class:NAME of type ResponseRule
 * @param notExecutedOn the statuses of responses that say that nothing was executed, so that the key is free again
 * @param reexecutable whether an operation may be executed again after its attempt crashed
 * @param transactional whether claim, handler and record are one transaction of the application's DataSource
 * @param claim when a request of a transactional operation claims its key: early (before the handler) or late (the record is written once,
 *     when the handler is done; PostgreSQL)
 * @param semanticFields which fields of a JSON body count, as JSON Pointers such as /amount; all by default
 * @param fingerprintHeaders which request headers count; none by default
 * @param mismatchStatus the status for a key that was used for another request: 422, 409 or 400
 * @param explainMismatches whether that answer says in what the requests differ; off for bodies of which not even keyed digests
 *     may be stored
 * @param refusedReplay the answer to a caller whom a check refuses what is on record: forbidden (403) or not-found (404, and the
 *     check is asked before the store, so that the answer does not tell whether the key was used)
 * @param storeDown what happens while the store is unavailable: fail-closed (503) or fail-open (executed unprotected)
 * @param maxRequestBody the longest request body
 * @param maxRecordedResponse the longest response body that is kept for replay
 * @param reconcile how often the resolver of unknown outcomes is asked
 */
public record OperationProperties(
        @DefaultValue List<String> match,
        @Nullable Boolean mayBeUnused,
        @Nullable String key,
        @Nullable String keyUserAction,
        @Nullable Duration keyTimeWindow,
        @Nullable Profile profile,
        @Nullable Boolean strictKeys,
        @DefaultValue Rules keyRules,
        @Nullable KeyHygiene keyHygiene,
        @Nullable String retention,
        @Nullable LateRetries lateRetries,
        @Nullable Duration lease,
        @Nullable Duration maxWait,
        @Nullable InProgressAnswer inProgress,
        @Nullable Failures failures,
        @Nullable String failureRule,
        @Nullable String responseRule,
        @Nullable Set<Integer> notExecutedOn,
        @Nullable Boolean reexecutable,
        @Nullable Boolean transactional,
        @Nullable ClaimTime claim,
        @DefaultValue List<String> semanticFields,
        @DefaultValue List<String> fingerprintHeaders,
        @Nullable Integer mismatchStatus,
        @Nullable Boolean explainMismatches,
        @Nullable RefusedReplay refusedReplay,
        @Nullable StoreDown storeDown,
        @Nullable DataSize maxRequestBody,
        @Nullable DataSize maxRecordedResponse,
        @DefaultValue Reconcile reconcile) {

    /** An operation without properties. */
    static final OperationProperties NONE =
            new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate("none", OperationProperties.class);

    /**
     * What is required of keys beyond their syntax.
     *
     * @param uuid whether a key must be a UUID in its text form
     * @param minLength the fewest characters of a key; 16 are recommended for keys that clients choose freely
     * @param maxLength the most characters of a key, at most 255
     */
    public record Rules(
            @Nullable Boolean uuid,
            @Nullable Integer minLength,
            @Nullable Integer maxLength) {

        boolean isEmpty() {
            return uuid == null && minLength == null && maxLength == null;
        }
    }

    /**
     * How often the resolver of unknown outcomes is asked.
     *
     * @param settleWindow for how long "not found" may mean "not yet"
     * @param firstDelay the delay before the second try
     * @param longestDelay the longest delay between two tries
     * @param maxTries the number of tries without an answer after which a person has to decide
     */
    public record Reconcile(
            @Nullable Duration settleWindow,
            @Nullable Duration firstDelay,
            @Nullable Duration longestDelay,
            @Nullable Integer maxTries) {

        boolean isEmpty() {
            return settleWindow == null && firstDelay == null && longestDelay == null && maxTries == null;
        }
    }
}
