package dev.semel.spring.actuate;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.reconcile.Verdict;
import dev.semel.spring.ProtectedRoute;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The endpoint for operators to see and settle records, like {@code semel unknown}, {@code semel keys} and
 * {@code semel prune} on the command line.
 *
 * <ol>
 *   <li>It only reads, unless {@code management.endpoint.idempotency.access} is {@code unrestricted}.
 *   <li>A record is named by the parameters {@code scope} and {@code key}, not in the path: both may hold slashes.
 *   <li>Parameters are parsed here rather than by Boot, so that errors say what is wrong with them.
 * </ol>
 */
@Endpoint(id = "idempotency", defaultAccess = Access.READ_ONLY)
// The only annotation by which Spring Boot 3 takes a parameter for optional. Spring Boot 4 accepts it, too.
@SuppressWarnings("deprecation")
public final class IdempotencyEndpoint {

    /** A page that a person reads; a script asks for the next one. */
    private static final int MOST_ROWS = 500;

    private static final int DEFAULT_ROWS = 100;

    private final SemelEngine semel;
    private final Records records;
    private final Supplier<List<ProtectedRoute>> routes;

    IdempotencyEndpoint(SemelEngine semel, Records records, Supplier<List<ProtectedRoute>> routes) {
        this.semel = semel;
        this.records = records;
        this.routes = routes;
    }

    /** Lists unknown outcomes. */
    @ReadOperation
    public WebEndpointResponse<Object> search(
            @Nullable String operation,
            @Nullable String deadLettered,
            @Nullable String limit,
            @Nullable String afterScope,
            @Nullable String afterKey) {
        return answer(() -> {
            int rows = Input.number("limit", limit, 1, MOST_ROWS, DEFAULT_ROWS);
            UnknownFilter filter = new UnknownFilter(
                    operation, Input.flag("deadLettered", deadLettered), Input.after(afterScope, afterKey));
            UnknownOutcomes unknowns = semel.unknownOutcomes();
            return UnknownPage.of(unknowns.listUnknown(filter, rows + 1), rows, unknowns::isAttended);
        });
    }

    /** Shows one {@code record}, or which {@code routes} are protected. */
    @ReadOperation
    public WebEndpointResponse<Object> show(@Selector String what, @Nullable String scope, @Nullable String key) {
        return answer(() -> switch (what) {
            case "record" -> records.view(identity(scope, key));
            case "routes" ->
                Map.of("routes", routes.get().stream().map(RouteView::of).toList());
            default -> throw Refused.notFound("there is no " + what + " here: use record?scope=…&key=…, or routes");
        });
    }

    /**
     * Settles an unknown outcome by the decision of a person.
     *
     * @param verdict {@code happened}, with the response or, for a method, the result that retries get; or
     *     {@code did-not-happen}: the next request executes
     * @param evidence for the decision
     * @param by the person, where no user is authenticated
     * @param fence which attempt this is about; refused when there has been another one since
     */
    @WriteOperation
    public WebEndpointResponse<Object> resolve(
            @Nullable String scope,
            @Nullable String key,
            @Nullable String verdict,
            @Nullable String evidence,
            @Nullable String by,
            @Nullable String fence,
            @Nullable String status,
            @Nullable String headers,
            @Nullable String body,
            SecurityContext security) {
        return answer(() -> {
            Identity identity = identity(scope, key);
            GivenResponse response = new GivenResponse(status, headers, body);
            Evidence why = Input.evidence(evidence, by, security.getPrincipal());
            Verdict.Final meant = verdict(identity, verdict, response, why.detail());
            Reconciliation answer = records.settle(identity, Input.fence(fence), meant, why.source());
            return accepted(
                    answer,
                    meant instanceof Verdict.Happened
                            ? "settled as completed: retries get this response"
                            : "settled as not executed: the next request with this key executes");
        });
    }

    private Verdict.Final verdict(Identity identity, @Nullable String verdict, GivenResponse response, String detail) {
        return switch (Input.required("verdict", verdict, "happened or did-not-happen")) {
            case "happened" ->
                new Verdict.Happened(isOfRoute(identity) ? response.toResponse() : response.toResult(), detail);
            case "did-not-happen" -> {
                if (!response.isEmpty()) {
                    throw Refused.badInput("what did not happen has no response: leave status, headers and body out");
                }
                yield new Verdict.DidNotHappen(detail);
            }
            default -> throw Refused.badInput("verdict must be happened or did-not-happen");
        };
    }

    /** Whether the record is that of a request; results of methods have another form. */
    private boolean isOfRoute(Identity identity) {
        String operation = records.operationOf(identity);
        return routes.get().stream()
                .anyMatch(route -> route.policy().operation().name().equals(operation));
    }

    /** The identity of a record, by its client's key or by the one that lists show. */
    private Identity identity(@Nullable String scope, @Nullable String key) {
        return semel.named(Input.identity(scope, key));
    }

    /** Makes the reconciler try an unknown outcome again, also a dead letter. */
    @WriteOperation
    public WebEndpointResponse<Object> requeue(
            @Selector String action,
            @Nullable String scope,
            @Nullable String key,
            @Nullable String evidence,
            @Nullable String by,
            SecurityContext security) {
        return answer(() -> {
            if (!action.equals("requeue")) {
                throw Refused.notFound("there is no " + action + " here: post to requeue, or to the endpoint itself to"
                        + " settle an outcome");
            }
            Identity identity = identity(scope, key);
            Evidence why = Input.evidence(evidence, by, security.getPrincipal());
            return accepted(
                    semel.unknownOutcomes().requeue(identity, why),
                    "requeued: the reconciler asks again at its next run");
        });
    }

    /** Deletes or marks the records that have outlived their retention. */
    @DeleteOperation
    public WebEndpointResponse<Object> prune(@Selector String what, @Nullable String expiry) {
        return answer(() -> {
            if (!what.equals("expired")) {
                throw Refused.notFound("only expired records are deleted here, not " + what);
            }
            return Map.of("pruned", semel.prune(expiry(expiry)));
        });
    }

    private static Expiry expiry(@Nullable String text) {
        return switch (text == null ? "delete" : text.strip().toLowerCase(Locale.ROOT)) {
            case "delete" -> Expiry.DELETE;
            case "mark" -> Expiry.MARK;
            default -> throw Refused.badInput("expiry must be delete or mark");
        };
    }

    private static Map<String, String> accepted(Reconciliation answer, String what) {
        if (answer instanceof Reconciliation.NotUnknown other) {
            throw Refused.conflict(whatItIs(other.current()));
        }
        if (answer instanceof Reconciliation.NoSuchRecord) {
            throw Records.noRecord();
        }
        return Map.of("result", what);
    }

    private static String whatItIs(StoredRecord record) {
        return RecordStates.whatItIs(record) + "; nothing was changed";
    }

    private static WebEndpointResponse<Object> answer(Supplier<Object> work) {
        try {
            return new WebEndpointResponse<>(work.get());
        } catch (Refused refused) {
            return refused.response();
        } catch (StoreException fault) {
            return Refused.unavailable("the store is unavailable: " + fault.getMessage())
                    .response();
        } catch (UnsupportedOperationException e) {
            return Refused.unsupported("this store cannot do that: " + e.getMessage())
                    .response();
        }
    }
}
