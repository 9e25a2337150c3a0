package dev.semel.http;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Refusal;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.http.key.KeyResult;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.ScopeResult;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
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
    private final Answers answers;
    private final StatusResource statusResource;
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
        this.answers = new Answers(settings.documentation, settings.statusPath, settings.trailers);
        this.statusResource = new StatusResource(semel, answers);
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
        if (head.routingPath().equals(statusPath)
                && (head.method().equals("GET") || head.method().equals("HEAD"))) {
            return new Admission.Status();
        }
        RoutePolicy policy = routes.match(head).orElse(null);
        return policy == null ? new Admission.PassThrough() : admit(policy, head);
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
        Answer refusal = answers.refusalOf(key);
        return refusal == null ? new Admission.Protect(policy) : new Admission.Reply(refusal);
    }

    /** Whether a route is in a transaction, which takes a transport that can {@link #transact}. */
    public boolean hasTransactions() {
        return routes.policies().stream().anyMatch(RoutePolicy::isInTransaction);
    }

    /** The answer to a request whose body is longer than its route allows. */
    public Answer bodyTooLarge(RoutePolicy policy) {
        return answers.bodyTooLarge("The request body is longer than the " + policy.maxRequestBody()
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
        try {
            return decide(policy, request, semel.begin(((Prepared.Ready) prepared).intent()));
        } catch (StoreException fault) {
            return storeDown(policy, fault);
        }
    }

    /** Like {@link #claim}, without blocking while it waits. */
    public CompletionStage<Decision> claimAsync(RoutePolicy policy, RequestView request) {
        requireNoTransaction(policy);
        Prepared prepared = prepare(policy, request);
        if (prepared instanceof Prepared.Refused refused) {
            return CompletableFuture.completedFuture(new Decision.Reply(refused.answer()));
        }
        return semel.beginAsync(((Prepared.Ready) prepared).intent()).handle((claim, failure) -> {
            if (claim != null) {
                return decide(policy, request, claim);
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof StoreException fault) {
                return storeDown(policy, fault);
            }
            throw new CompletionException(cause);
        });
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
        Intent intent = ((Prepared.Ready) prepared).intent();
        return new OneTransaction(semel, intent, claim -> decide(policy, request, claim), handler)
                .through(runner, answers.storeUnavailable());
    }

    /**
     * The answer to a request without protection whose handler called the engine itself and threw the refusal on; empty for
     * every other failure.
     */
    public Optional<Answer> refusalOf(Throwable failure) {
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
        return Optional.of(refused.answer(answers));
    }

    /** Answers a request for the state of a key. Never executes anything. */
    public Answer status(RequestView request) {
        List<String> operations = StatusResource.operationsOf(request);
        RoutePolicy policy =
                operations.size() == 1 ? routes.named(operations.get(0)).orElse(null) : null;
        if (policy == null && !operations.isEmpty()) {
            return answers.unknownOperation();
        }
        RequestView named = policy == null ? request : request.onRoute(policy);
        KeyStrategy strategy = policy == null || policy.keyMode() == RoutePolicy.KeyMode.DERIVED
                ? RoutePolicy.header(keyHeader, strict)
                : keyOf(policy);
        KeyResult key = strategy.resolve(named);
        if (!(key instanceof KeyResult.Found found)) {
            return present(answers.refusalOf(key));
        }
        ScopeResult scope = scopes.resolve(named);
        return scope instanceof ScopeResult.Found owner
                ? statusResource.answer(owner.scope(), found.key())
                : answers.refusalOf(scope);
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

        record Ready(Intent intent) implements Prepared {}
    }

    private Prepared prepare(RoutePolicy policy, RequestView received) {
        RequestView request = received.onRoute(policy);
        KeyResult key = keyOf(policy).resolve(request);
        if (!(key instanceof KeyResult.Found found)) {
            return new Prepared.Refused(present(answers.refusalOf(key)));
        }
        ScopeResult scope = scopes.resolve(request);
        if (!(scope instanceof ScopeResult.Found owner)) {
            return new Prepared.Refused(answers.refusalOf(scope));
        }
        Answer poor = refusalOfPoorKey(policy, owner.scope(), found.chosen());
        if (poor != null) {
            return new Prepared.Refused(poor);
        }
        try {
            Intent intent = intent(policy, owner.scope(), found.key(), request.parts());
            return new Prepared.Ready(
                    describing ? intent.describedAs(request.method() + " " + request.routingPath()) : intent);
        } catch (BodyLimitException e) {
            return new Prepared.Refused(answers.refusalOf(e));
        }
    }

    private @Nullable Answer refusalOfPoorKey(RoutePolicy policy, Scope scope, @Nullable Key chosen) {
        if (chosen == null) {
            return null;
        }
        KeyFinding finding = semel.inspect(policy.operation(), scope, chosen, policy.keyHygiene())
                .orElse(null);
        return finding == null || policy.keyHygiene() != KeyHygiene.REFUSE ? null : answers.poorKey(finding);
    }

    private Intent intent(RoutePolicy policy, Scope scope, Key key, Parts parts) {
        return Intent.of(policy.operation(), scope, key, fingerprinter.of(parts))
                .sameAs(stored -> fingerprinter.matches(stored, parts));
    }

    private Decision decide(RoutePolicy policy, RequestView request, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return new Decision.Proceed(new Run(granted.attempt(), policy, answers));
        }
        if (claim instanceof Claim.Recorded recorded) {
            return new Decision.Reply(
                    answers.replay(recorded.response(), policy.operation().name()));
        }
        Refusal why = ((Claim.Refused) claim).why();
        if (why instanceof Refusal.Mismatch) {
            return new Decision.Reply(answers.mismatch(policy.mismatchStatus()));
        }
        if (why instanceof Refusal.InProgress running) {
            return new Decision.Reply(
                    policy.inProgress() == InProgressAnswer.ACCEPTED
                            ? answers.accepted(request, policy, running.retryAfter())
                            : answers.conflict(running.retryAfter()));
        }
        return new Decision.Reply(answers.outcomeUnknown());
    }

    private Decision storeDown(RoutePolicy policy, StoreException fault) {
        String name = policy.operation().name();
        if (policy.storeDown() == StoreDown.FAIL_OPEN) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a request of " + name + " is executed WITHOUT protection, because the store is unavailable",
                    fault);
            return new Decision.Unprotected();
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "a request of " + name + " is refused, because the store is unavailable",
                fault);
        return new Decision.Reply(answers.storeUnavailable());
    }

    private static Answer present(@Nullable Answer answer) {
        if (answer == null) {
            throw new IllegalStateException("a request that has a key cannot be refused for its key");
        }
        return answer;
    }
}
