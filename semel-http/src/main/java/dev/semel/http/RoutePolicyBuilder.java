package dev.semel.http;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.fingerprint.BodyForm;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Pointer;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.RepeatableRequestKey;
import dev.semel.key.KeyHygiene;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Configures a {@link RoutePolicy}. Contradictory settings fail here, not with the first request. */
public final class RoutePolicyBuilder {

    /** Requests that change something are usually small JSON; routes that accept uploads set their own limit. */
    private static final int DEFAULT_MAX_REQUEST_BODY = 1 << 20;

    private static final int DEFAULT_MAX_RECORDED_RESPONSE = 1 << 20;

    /** Bodies are held in memory whole; the canonical form of JSON allows no more either. */
    static final int MOST_BYTES = 256 << 20;

    /** Answers that are given before the code that executes is reached: not allowed, too early, too many. */
    private static final Set<Integer> DEFAULT_REFUSALS = Set.of(401, 403, 425, 429);

    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    final Operation operation;
    RoutePolicy.KeyMode keyMode = RoutePolicy.KeyMode.REQUIRED;

    @Nullable
    KeyStrategy ownKey;

    Profile profile = Profile.STANDARD;

    @Nullable
    Boolean strict;

    KeyRules keyRules = KeyRules.NONE;
    KeyHygiene keyHygiene = KeyHygiene.WARN;
    private final Set<String> fingerprintHeaders = new TreeSet<>();
    InProgressAnswer inProgress = InProgressAnswer.CONFLICT;
    private @Nullable Integer mismatchStatus;
    RefusedReplay refusedReplay = RefusedReplay.FORBIDDEN;
    boolean explainsMismatches = true;
    StoreDown storeDown = StoreDown.FAIL_CLOSED;
    Set<Integer> refusals = DEFAULT_REFUSALS;
    ResponseRule responseRule = ResponseRule.NONE;
    int maxRequestBody = DEFAULT_MAX_REQUEST_BODY;
    int maxRecordedResponse = DEFAULT_MAX_RECORDED_RESPONSE;

    @Nullable
    TransactionRunner transactions;

    private final List<Pointer> semanticFields = new ArrayList<>();

    RoutePolicyBuilder(Operation operation) {
        this.operation = operation;
    }

    /** Requests without a key are refused. This is the default. */
    public RoutePolicyBuilder keyRequired() {
        return key(RoutePolicy.KeyMode.REQUIRED, null);
    }

    /** Requests without a key are executed without protection. */
    public RoutePolicyBuilder keyOptional() {
        return key(RoutePolicy.KeyMode.OPTIONAL, null);
    }

    /** The key is found by a strategy instead of in the header; where it finds none, the request is refused. */
    public RoutePolicyBuilder keyDerived(KeyStrategy strategy) {
        return key(RoutePolicy.KeyMode.DERIVED, strategy);
    }

    /** The key is a digest of exactly what counts in the fingerprint: the same request is the same intent. */
    public RoutePolicyBuilder keyFromContent() {
        return keyDerived(KeyStrategy.contentHash());
    }

    private RoutePolicyBuilder key(RoutePolicy.KeyMode mode, @Nullable KeyStrategy strategy) {
        keyMode = mode;
        ownKey = strategy;
        return this;
    }

    /** Sets the dialect that the route speaks with its clients: {@link Profile#STANDARD} by default. */
    public RoutePolicyBuilder profile(Profile newProfile) {
        profile = newProfile;
        return this;
    }

    /** Accepts only keys that are an RFC 9651 String, such as {@code "abc"}. */
    public RoutePolicyBuilder strictKeys() {
        strict = true;
        return this;
    }

    /** Accepts {@code "abc"} and {@code abc} as the same key, whatever the gate's default is. */
    public RoutePolicyBuilder lenientKeys() {
        strict = false;
        return this;
    }

    /** Asks more of keys than their syntax. */
    public RoutePolicyBuilder keyRules(KeyRules rules) {
        keyRules = rules;
        return this;
    }

    /**
     * Warns of, refuses or ignores keys that look like personal data or are easy to guess (see
     * {@link dev.semel.key.KeyFinding}); by default they are accepted with a warning. Derived keys are not inspected.
     */
    public RoutePolicyBuilder keyHygiene(KeyHygiene hygiene) {
        keyHygiene = hygiene;
        return this;
    }

    /**
     * Lets only these fields of a JSON body count in the fingerprint.
     *
     * @param pointers JSON Pointers, such as {@code /amount}
     */
    public RoutePolicyBuilder semanticFields(String... pointers) {
        Stream.of(pointers).map(Pointer::of).forEach(semanticFields::add);
        return this;
    }

    /** Lets these request headers count in the fingerprint; none does by default. */
    public RoutePolicyBuilder fingerprintHeaders(String... names) {
        for (String name : names) {
            if (!HEADER.matcher(name).matches()) {
                throw invalid("fingerprint header \"" + name + "\" is not a header name");
            }
            fingerprintHeaders.add(name.toLowerCase(Locale.ROOT));
        }
        return this;
    }

    public RoutePolicyBuilder inProgress(InProgressAnswer answer) {
        inProgress = answer;
        return this;
    }

    /** The status for a key that was used for another request: 422, 409 or 400; by default the profile's. */
    public RoutePolicyBuilder mismatchStatus(int status) {
        if (!Set.of(400, 409, 422).contains(status)) {
            throw invalid("the status for a reused key is " + status + ", it must be 422, 409 or 400");
        }
        mismatchStatus = status;
        return this;
    }

    /** What a caller gets who may not have what is on record: 403 by default. */
    public RoutePolicyBuilder refusedReplay(RefusedReplay answer) {
        refusedReplay = answer;
        return this;
    }

    /**
     * Whether the answer to a reused key says in what the requests differ; true by default, where the engine
     * {@linkplain dev.semel.engine.SemelEngine.Builder#explainMismatches() explains mismatches}. Turn it off for bodies of which not
     * even keyed digests may be stored.
     */
    public RoutePolicyBuilder explainMismatches(boolean wanted) {
        explainsMismatches = wanted;
        return this;
    }

    public RoutePolicyBuilder storeDown(StoreDown behaviour) {
        storeDown = behaviour;
        return this;
    }

    /** Replaces the statuses that say that nothing was executed: 401, 403, 425 and 429 by default. */
    public RoutePolicyBuilder notExecutedOn(Integer... statuses) {
        for (int status : statuses) {
            if (status < 400 || status > 599) {
                throw invalid("status " + status + " cannot say that nothing was executed, one from 400 to 599 can");
            }
        }
        refusals = Set.of(statuses);
        return this;
    }

    /** The route's own rule for the meaning of its responses, applied before the status decides. */
    public RoutePolicyBuilder responseRule(ResponseRule rule) {
        responseRule = rule;
        return this;
    }

    /** Refuses longer request bodies with 413, before anything is claimed. */
    public RoutePolicyBuilder maxRequestBody(int bytes) {
        maxRequestBody = size("the longest request body", bytes);
        return this;
    }

    /** Does not record longer response bodies; a retry is then answered that the operation was done, without its response. */
    public RoutePolicyBuilder maxRecordedResponse(int bytes) {
        maxRecordedResponse = size("the longest recorded response", bytes);
        return this;
    }

    /**
     * Makes claim, handler and recorded response one transaction: the handler's writes through the transaction's connection
     * commit together with the record, or not at all, and the response leaves after the commit.
     *
     * <p>A failure, be it an exception or a status of 500 and above, rolls back and is not recorded. This is for effects in
     * the store's own database; a rollback does not undo a call to another service.
     */
    public RoutePolicyBuilder inTransaction(TransactionRunner runner) {
        transactions = runner;
        return this;
    }

    /**
     * The policy, if its settings agree with each other.
     *
     * @throws IllegalArgumentException when they contradict each other
     */
    public RoutePolicy build() {
        if (keyMode == RoutePolicy.KeyMode.DERIVED) {
            if (strict != null) {
                throw invalid("strict and lenient syntax apply to keys in the header, but the key is derived;"
                        + " leave the syntax out");
            }
            if (inProgress == InProgressAnswer.ACCEPTED) {
                throw invalid(
                        "202 refers clients to the status resource, which they query with their key, but the key is"
                                + " derived and they have none; use " + InProgressAnswer.CONFLICT);
            }
        }
        if (profile != Profile.STANDARD) {
            requireValidInProfile();
        }
        if (transactions != null) {
            requireValidInTransaction();
        }
        return new RoutePolicy(this);
    }

    private void requireValidInProfile() {
        if (strict != null) {
            throw invalid("strict and lenient syntax are those of the standard profile, but the profile is " + profile
                    + ", which has its own; leave the syntax out");
        }
        if (profile == Profile.STRIPE && inProgress == InProgressAnswer.ACCEPTED) {
            throw invalid(
                    "a client of Stripe takes 202 for a success of the operation; use " + InProgressAnswer.CONFLICT);
        }
        if (profile == Profile.OASIS && keyMode == RoutePolicy.KeyMode.DERIVED) {
            throw invalid(
                    "OASIS Repeatable Requests have their key in a header, but the key is derived; use keyRequired()"
                            + " or keyOptional()");
        }
    }

    int mismatchStatus() {
        return mismatchStatus != null ? mismatchStatus : profile.mismatchStatus();
    }

    Set<String> fingerprintHeaders() {
        if (profile != Profile.OASIS) {
            return fingerprintHeaders;
        }
        Set<String> all = new TreeSet<>(fingerprintHeaders);
        all.add(RepeatableRequestKey.FIRST_SENT.toLowerCase(Locale.ROOT));
        all.add(RepeatableRequestKey.CLIENT_ID.toLowerCase(Locale.ROOT));
        return all;
    }

    List<String> semanticFields() {
        return semanticFields.stream().map(Pointer::toString).toList();
    }

    private void requireValidInTransaction() {
        if (storeDown == StoreDown.FAIL_OPEN) {
            throw invalid("a request in a transaction cannot be executed while the store is down, since the transaction"
                    + " is in the store's database; use " + StoreDown.FAIL_CLOSED);
        }
        if (operation.failures() == Failures.RECONCILE) {
            throw invalid(
                    "a failure rolls the transaction back, which leaves nothing to reconcile; for effects outside of the"
                            + " database, use a route without a transaction");
        }
        if (operation.hasOwnRule()) {
            throw invalid(
                    "a failure always rolls the transaction back, so the operation's failure rule would never apply;"
                            + " use an operation without one");
        }
    }

    BodyForm bodyForm() {
        CanonicalJson.Limits defaults = CanonicalJson.Limits.DEFAULT;
        CanonicalJson json = new CanonicalJson(
                new CanonicalJson.Limits(Math.max(1, maxRequestBody), defaults.maxDepth(), defaults.maxNumberLength()));
        BodyForm form = semanticFields.isEmpty() ? BodyForm.byMediaType(json) : BodyForm.fields(json, semanticFields);
        return new MultipartAwareForm(form);
    }

    private int size(String what, int bytes) {
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw invalid(what + " is " + bytes + " bytes, it must be between 0 and " + MOST_BYTES);
        }
        return bytes;
    }

    private IllegalArgumentException invalid(String what) {
        return new IllegalArgumentException("route of " + operation.name() + ": " + what);
    }
}
