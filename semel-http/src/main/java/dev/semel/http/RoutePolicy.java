package dev.semel.http;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.fingerprint.BodyForm;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import dev.semel.key.KeyHygiene;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of a route are protected: how their key is found, what counts in their fingerprint, and what their
 * responses mean.
 *
 * <pre>{@code
 * RoutePolicy.of(Operation.named("create-payment").retention(Retention.PAYMENT))
 *         .semanticFields("/amount", "/currency", "/recipient")
 *         .inProgress(InProgressAnswer.ACCEPTED)
 *         .build();
 * }</pre>
 */
public final class RoutePolicy {

    /** How a route finds its key. */
    public enum KeyMode {
        /** In the header; requests without it are refused. */
        REQUIRED,
        /** In the header; requests without it are executed without protection. */
        OPTIONAL,
        /** Made from the request: clients send none. */
        DERIVED
    }

    private final Operation operation;
    private final KeyMode keyMode;
    private final @Nullable KeyStrategy ownKey;
    private final Profile profile;
    private final @Nullable Boolean strict;
    private final KeyRules keyRules;
    private final KeyHygiene keyHygiene;
    private final BodyForm bodyForm;
    private final List<String> semanticFields;
    private final List<String> fingerprintHeaders;
    private final InProgressAnswer inProgress;
    private final int mismatchStatus;
    private final RefusedReplay refusedReplay;
    private final boolean explainsMismatches;
    private final StoreDown storeDown;
    private final Set<Integer> refusals;
    private final ResponseRule responseRule;
    private final int maxRequestBody;
    private final int maxRecordedResponse;
    private final @Nullable TransactionRunner transactions;

    RoutePolicy(RoutePolicyBuilder builder) {
        this.operation = builder.operation;
        this.keyMode = builder.keyMode;
        this.ownKey = builder.ownKey;
        this.profile = builder.profile;
        this.strict = builder.strict;
        this.keyRules = builder.keyRules;
        this.keyHygiene = builder.keyHygiene;
        this.bodyForm = builder.bodyForm();
        this.semanticFields = builder.semanticFields();
        this.fingerprintHeaders = List.copyOf(builder.fingerprintHeaders());
        this.inProgress = builder.inProgress;
        this.mismatchStatus = builder.mismatchStatus();
        this.refusedReplay = builder.refusedReplay;
        this.explainsMismatches = builder.explainsMismatches;
        this.storeDown = builder.storeDown;
        this.refusals = Set.copyOf(builder.refusals);
        this.responseRule = builder.responseRule;
        this.maxRequestBody = builder.maxRequestBody;
        this.maxRecordedResponse = builder.maxRecordedResponse;
        this.transactions = builder.transactions;
    }

    /** Starts the policy of a route that does this operation; everything else has a default. */
    public static RoutePolicyBuilder of(Operation operation) {
        return new RoutePolicyBuilder(operation);
    }

    public Operation operation() {
        return operation;
    }

    /** The longest request body, in bytes. */
    public int maxRequestBody() {
        return maxRequestBody;
    }

    /** The longest response body that is kept for replay, in bytes. */
    public int maxRecordedResponse() {
        return maxRecordedResponse;
    }

    /** The longest response body that is held in memory before it is settled, in bytes. */
    public int maxHeldResponse() {
        return isInTransaction() ? RoutePolicyBuilder.MOST_BYTES : maxRecordedResponse;
    }

    /** Whether claim, handler and recorded response are one transaction: {@link Gate#transact} then does the request. */
    public boolean isInTransaction() {
        return transactions != null;
    }

    /**
     * Decides what a response of the handler means: {@link Failures#REPLAY} records it, {@link Failures#RETRY} releases the
     * key. A failure in a transaction is rolled back, so that there is nothing to record.
     */
    public Failures judge(int status, Headers headers) {
        return responseRule.judge(status, headers).orElseGet(() -> {
            if (refusals.contains(status) || (status >= 500 && isInTransaction())) {
                return Failures.RETRY;
            }
            return status >= 500 ? operation.failures() : Failures.REPLAY;
        });
    }

    /** The strategy that finds a request's key, given the header that clients send it in. */
    KeyStrategy key(String headerName, boolean strictByDefault) {
        return (ownKey != null ? ownKey : profile.key(headerName, isStrict(strictByDefault))).withRules(keyRules);
    }

    boolean isStrict(boolean strictByDefault) {
        return strict != null ? strict : strictByDefault;
    }

    KeyRules keyRules() {
        return keyRules;
    }

    /** The dialect that the route speaks with its clients. */
    public Profile profile() {
        return profile;
    }

    public KeyMode keyMode() {
        return keyMode;
    }

    /** How keys are treated that look like personal data or are easy to guess. */
    public KeyHygiene keyHygiene() {
        return keyHygiene;
    }

    BodyForm bodyForm() {
        return bodyForm;
    }

    /**
     * What is published about this policy, for descriptions of the application such as OpenAPI; as at
     * {@link GateBuilder#policyPath}.
     *
     * @param keyHeader the header that the gate looks for keys in
     * @param strictByDefault whether the gate accepts only keys that are an RFC 9651 String
     */
    public Map<String, Object> published(String keyHeader, boolean strictByDefault) {
        return PublishedPolicy.of(this, List.of(), keyHeader, strictByDefault);
    }

    /** JSON Pointers of the only fields that count in the fingerprint; empty where the whole body does. */
    List<String> semanticFields() {
        return semanticFields;
    }

    /** The statuses that say that nothing was executed. */
    Set<Integer> refusals() {
        return refusals;
    }

    List<String> fingerprintHeaders() {
        return fingerprintHeaders;
    }

    public InProgressAnswer inProgress() {
        return inProgress;
    }

    /** The status for a key that was used for another request. */
    public int mismatchStatus() {
        return mismatchStatus;
    }

    /** What a caller gets who may not have what is on record. */
    public RefusedReplay refusedReplay() {
        return refusedReplay;
    }

    /** Whether the answer to a reused key says in what the requests differ, if the engine explains mismatches. */
    public boolean explainsMismatches() {
        return explainsMismatches;
    }

    public StoreDown storeDown() {
        return storeDown;
    }

    @Nullable
    TransactionRunner transactions() {
        return transactions;
    }

    @Override
    public String toString() {
        return "policy of " + operation.name();
    }
}
