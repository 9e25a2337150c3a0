package dev.semel.http;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Key;
import dev.semel.Refusal;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.http.key.KeyResult;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.RepeatableRequestKey;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.reconcile.StoredRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of the protocol about each request, for every transport alike.
 *
 * <ol>
 *   <li>{@link #admit} decides by the head of a request: most pass through.
 *   <li>For a protected one the transport reads the body, up to its limit, and {@link #claim claims}.
 *   <li>On {@link Decision.Proceed} the transport runs the handler and settles the {@link Run} with its result.
 *   <li>On a route {@link RoutePolicy#isInTransaction in a transaction}, {@link #transact} takes the place of both.
 * </ol>
 */
public final class Gate {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final SemelEngine semel;
    private final Routes routes;
    private final ScopeStrategy scopes;
    private final String keyHeader;
    private final boolean strict;
    private final String statusPath;
    private final Fingerprinter fingerprinter;
    private final boolean describing;
    private final @Nullable ReplayCheck replayCheck;
    private final Answers answers;
    private final @Nullable String policyPath;
    private final PolicyPage policyPage;
    private final boolean repeatable;
    private final Map<RoutePolicy, KeyStrategy> keys;

    Gate(GateBuilder settings) {
        this.semel = settings.semel;
        this.routes = settings.routes;
        this.scopes = settings.scopes;
        this.keyHeader = settings.keyHeader;
        this.strict = settings.strict;
        this.statusPath = settings.statusPath;
        this.fingerprinter = settings.fingerprinter;
        this.describing = settings.describing;
        this.replayCheck = settings.replayCheck;
        this.answers = settings.answers();
        this.policyPath = settings.policyPath;
        this.policyPage = new PolicyPage(settings);
        this.repeatable = !routes.policies().isEmpty()
                && routes.policies().stream().allMatch(policy -> policy.profile() == Profile.OASIS);
        this.keys = routes.policies().stream()
                .collect(Collectors.toUnmodifiableMap(Function.identity(), policy -> policy.key(keyHeader, strict)));
    }

    /**
     * Starts to configure a gate.
     *
     * @param scopes finds the owner of a request's key; it runs after authentication
     */
    public static GateBuilder on(SemelEngine semel, Routes routes, ScopeStrategy scopes) {
        return new GateBuilder(semel, routes, scopes);
    }

    /** Decides about a request whose body has not been read. */
    public Admission admit(RequestView head) {
        if (head.method().equals("GET") || head.method().equals("HEAD")) {
            if (head.routingPath().equals(statusPath)) {
                return new Admission.Status();
            }
            if (head.routingPath().equals(policyPath)) {
                return new Admission.Reply(policyPage.answer(head));
            }
        }
        RoutePolicy policy = routes.match(head).orElse(null);
        if (policy == null) {
            return repeatable && !SafeMethods.contains(head.method()) && RepeatableRequestKey.isIn(head)
                    ? new Admission.Reply(answers.to(head, Profile.OASIS).notSupported())
                    : new Admission.PassThrough();
        }
        return admit(policy, head);
    }

    /** Decides about a request on a route that the transport itself has matched, by more than method and path. */
    public Admission admit(RoutePolicy policy, RequestView head) {
        if (policy.keyMode() == RoutePolicy.KeyMode.DERIVED) {
            return new Admission.Protect(policy);
        }
        KeyResult key = keyOf(policy).resolve(head);
        if (key instanceof KeyResult.Missing && policy.keyMode() == RoutePolicy.KeyMode.OPTIONAL) {
            return new Admission.PassThrough();
        }
        Answer refusal = answersTo(policy, head).refusalOf(key);
        return refusal == null ? new Admission.Protect(policy) : new Admission.Reply(refusal);
    }

    /** Whether a route is in a transaction, which takes a transport that can {@link #transact}. */
    public boolean hasTransactions() {
        return routes.policies().stream().anyMatch(RoutePolicy::isInTransaction);
    }

    /** The answer to a request whose body is longer than its route allows. */
    public Answer bodyTooLarge(RoutePolicy policy, RequestView head) {
        Answers own = answersTo(policy, head);
        boolean keyed = policy.keyMode() != RoutePolicy.KeyMode.DERIVED
                && keyOf(policy).resolve(head) instanceof KeyResult.Found;
        return (keyed ? own.about(keyHeader, head) : own)
                .bodyTooLarge("The request body is longer than the " + policy.maxRequestBody()
                        + " bytes that this operation accepts.");
    }

    /**
     * Claims the right to execute, waiting as long as the operation allows.
     *
     * @throws IllegalStateException when the route is in a transaction
     */
    public Decision claim(RoutePolicy policy, RequestView request) {
        requireNoTransaction(policy);
        Prepared prepared = prepare(policy, request);
        if (prepared instanceof Prepared.Refused refused) {
            return new Decision.Reply(refused.answer());
        }
        Prepared.Ready ready = (Prepared.Ready) prepared;
        try {
            Answer refusal = refusalBefore(policy, ready);
            return refusal == null
                    ? Decisions.of(policy, request, ready.answers(), semel.begin(ready.intent()))
                    : new Decision.Reply(refusal);
        } catch (StoreException fault) {
            return Decisions.withoutStore(policy, ready.answers(), fault);
        }
    }

    /** Like {@link #claim}, without blocking while it waits. */
    public CompletionStage<Decision> claimAsync(RoutePolicy policy, RequestView request) {
        requireNoTransaction(policy);
        Prepared prepared = prepare(policy, request);
        if (prepared instanceof Prepared.Refused refused) {
            return CompletableFuture.completedFuture(new Decision.Reply(refused.answer()));
        }
        Prepared.Ready ready = (Prepared.Ready) prepared;
        return asksBefore(policy)
                ? semel.askGuard(ready.intent(), false)
                        .thenCompose(refusal -> refusal.isEmpty()
                                ? claimAsync(policy, request, ready)
                                : CompletableFuture.completedFuture(new Decision.Reply(
                                        refusalOf(policy.refusedReplay(), refusal.get(), ready.answers()))))
                : claimAsync(policy, request, ready);
    }

    private CompletionStage<Decision> claimAsync(RoutePolicy policy, RequestView request, Prepared.Ready ready) {
        return semel.beginAsync(ready.intent()).handle((claim, failure) -> {
            if (claim != null) {
                return Decisions.of(policy, request, ready.answers(), claim);
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof StoreException fault) {
                return Decisions.withoutStore(policy, ready.answers(), fault);
            }
            throw new CompletionException(cause);
        });
    }

    /** Whether the check decides before the store is asked, so that its answer cannot depend on what is on record. */
    private boolean asksBefore(RoutePolicy policy) {
        return replayCheck != null && policy.refusedReplay() == RefusedReplay.NOT_FOUND;
    }

    private @Nullable Answer refusalBefore(RoutePolicy policy, Prepared.Ready ready) {
        return asksBefore(policy)
                ? semel.askGuard(ready.intent(), true)
                        .toCompletableFuture()
                        .join()
                        .map(refusal -> refusalOf(policy.refusedReplay(), refusal, ready.answers()))
                        .orElse(null)
                : null;
    }

    private static void requireNoTransaction(RoutePolicy policy) {
        if (policy.isInTransaction()) {
            throw new IllegalStateException("the route of " + policy.operation().name()
                    + " is in a transaction, but Gate.claim begins none; use Gate.transact");
        }
    }

    /**
     * Claims, has the handler run, and ends the transaction of a route that is in one; all on the calling thread.
     *
     * @return what is sent now that the transaction has ended; {@link Ending.AsProduced} only if the handler ran
     * @throws IllegalStateException when the route is not in a transaction
     * @throws UnsupportedOperationException when the store cannot take part in a transaction: nothing was executed
     */
    public Ending transact(RoutePolicy policy, RequestView request, TransactionHandler handler) {
        TransactionRunner runner = policy.transactions();
        if (runner == null) {
            throw new IllegalStateException(
                    "the route of " + policy.operation().name() + " is not in a transaction; use Gate.claim");
        }
        Prepared prepared = prepare(policy, request);
        if (prepared instanceof Prepared.Refused refused) {
            return new Ending.Replacement(refused.answer());
        }
        Prepared.Ready ready = (Prepared.Ready) prepared;
        Answers own = ready.answers();
        Answer refusal = refusalBefore(policy, ready);
        if (refusal != null) {
            return new Ending.Replacement(refusal);
        }
        return new OneTransaction(semel, ready.intent(), claim -> Decisions.of(policy, request, own, claim), handler)
                .through(runner, own.storeUnavailable());
    }

    /**
     * The answer to a request without protection whose handler called the engine itself and threw the refusal on; empty for
     * every other failure.
     */
    public Optional<Answer> refusalOf(Throwable failure, RequestView request) {
        RefusedCall refused = RefusedCall.in(failure).orElse(null);
        if (refused == null) {
            return Optional.empty();
        }
        if (refused.storeFault() != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a request is refused, because its handler called the engine and the store is unavailable",
                    refused.storeFault());
        }
        return Optional.of(refused.answer(answers.to(request, Profile.STANDARD)));
    }

    /** Answers a request for the state of a key. Never executes anything. */
    public Answer status(RequestView request) {
        List<String> operations = StatusResource.operationsOf(request);
        RoutePolicy policy =
                operations.size() == 1 ? routes.named(operations.get(0)).orElse(null) : null;
        if (policy == null && !operations.isEmpty()) {
            return answers.to(request, Profile.STANDARD).unknownOperation();
        }
        Profile profile = policy == null ? Profile.STANDARD : policy.profile();
        Answers own = answers.to(request, profile);
        RequestView named = policy == null ? request : request.onRoute(policy);
        KeyStrategy strategy = policy == null || policy.keyMode() == RoutePolicy.KeyMode.DERIVED
                ? Profile.STANDARD.key(keyHeader, strict)
                : keyOf(policy);
        KeyResult key = strategy.resolve(named);
        if (!(key instanceof KeyResult.Found found)) {
            return present(own.refusalOf(key));
        }
        own = own.about(keyHeader, request);
        ScopeResult scope = scopes.resolve(named);
        return scope instanceof ScopeResult.Found owner
                ? status(new Identity(owner.scope(), found.key()), named, own)
                : own.refusalOf(scope);
    }

    private Answer status(Identity identity, RequestView request, Answers own) {
        StoredRecord record;
        try {
            record = semel.find(identity).orElse(null);
        } catch (StoreException fault) {
            return own.storeUnavailable();
        }
        if (replayCheck == null || record == null || !StatusResource.shows(record)) {
            return StatusResource.answer(record, own);
        }
        Refusal refusal = semel.askGuard(new Intent.Guard(replayCheck, request, request.user()), record)
                .orElse(null);
        if (refusal == null) {
            return StatusResource.answer(record, own);
        }
        // Without a decision, too: 503 would tell that the key exists.
        boolean hidden = routes.named(record.operation()).map(this::asksBefore).orElse(false);
        return hidden ? StatusResource.answer(null, own) : refusalOf(RefusedReplay.FORBIDDEN, refusal, own);
    }

    /** The identity that a request on this route is claimed with, for logs; empty where its key or the key's owner is missing. */
    public Optional<Identity> identityOf(RoutePolicy policy, RequestView received) {
        RequestView request = received.onRoute(policy);
        return keyOf(policy).resolve(request) instanceof KeyResult.Found found
                        && scopes.resolve(request) instanceof ScopeResult.Found owner
                ? Optional.of(new Identity(owner.scope(), found.key()))
                : Optional.empty();
    }

    private KeyStrategy keyOf(RoutePolicy policy) {
        KeyStrategy known = keys.get(policy);
        return known == null ? policy.key(keyHeader, strict) : known;
    }

    private sealed interface Prepared {

        record Refused(Answer answer) implements Prepared {}

        record Ready(Intent intent, Answers answers) implements Prepared {}
    }

    private Answers answersTo(RoutePolicy policy, RequestView request) {
        return answers.to(request, policy.profile());
    }

    private Prepared prepare(RoutePolicy policy, RequestView received) {
        RequestView request = received.onRoute(policy);
        Answers own = answersTo(policy, request);
        KeyResult key = keyOf(policy).resolve(request);
        if (!(key instanceof KeyResult.Found found)) {
            return new Prepared.Refused(present(own.refusalOf(key)));
        }
        if (policy.keyMode() != RoutePolicy.KeyMode.DERIVED) {
            own = own.about(keyHeader, request);
        }
        ScopeResult scope = scopes.resolve(request);
        if (!(scope instanceof ScopeResult.Found owner)) {
            return new Prepared.Refused(own.refusalOf(scope));
        }
        Answer poor = refusalOfPoorKey(policy, owner.scope(), found.chosen(), own);
        if (poor != null) {
            return new Prepared.Refused(poor);
        }
        try {
            Intent intent = firstSent(intent(policy, owner.scope(), found.key(), request.parts()), policy, request);
            return new Prepared.Ready(
                    guarded(
                            describing ? intent.describedAs(request.method() + " " + request.routingPath()) : intent,
                            request),
                    own);
        } catch (BodyLimitException e) {
            return new Prepared.Refused(own.refusalOf(e));
        }
    }

    private Intent guarded(Intent intent, RequestView request) {
        return replayCheck == null ? intent : intent.guardedBy(new Intent.Guard(replayCheck, request, request.user()));
    }

    private @Nullable Answer refusalOfPoorKey(RoutePolicy policy, Scope scope, @Nullable Key chosen, Answers own) {
        if (chosen == null) {
            return null;
        }
        KeyFinding finding = semel.inspect(policy.operation(), scope, chosen, policy.keyHygiene())
                .orElse(null);
        return finding == null || policy.keyHygiene() != KeyHygiene.REFUSE ? null : own.poorKey(finding);
    }

    private Intent intent(RoutePolicy policy, Scope scope, Key key, Parts parts) {
        Intent intent = Intent.of(policy.operation(), scope, key, fingerprinter.of(parts))
                .sameAs(stored -> fingerprinter.matches(stored, parts));
        return policy.explainsMismatches() ? intent.detailedBy(parts) : intent;
    }

    /** The intent with the time of the client's first attempt, where the profile of the route has one. */
    private static Intent firstSent(Intent intent, RoutePolicy policy, RequestView request) {
        return policy.profile() == Profile.OASIS
                ? intent.firstSentAt(RepeatableRequestKey.firstSent(request).orElse(null))
                : intent;
    }

    private static Answer refusalOf(RefusedReplay policy, Refusal forbidden, Answers own) {
        return own.replayRefused((Refusal.ReplayForbidden) forbidden, policy);
    }

    private static Answer present(@Nullable Answer answer) {
        if (answer == null) {
            throw new IllegalStateException("a request that has a key cannot be refused for its key");
        }
        return answer;
    }
}
