package dev.semel.admin;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.admin.Endpoint.Call;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Caller;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.settle.Proposal;
import dev.semel.engine.SemelEngine;
import dev.semel.http.RetryAnswer;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Age;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls about unknown outcomes: the queue, settling and requeueing, one by one and many at once. */
final class UnknownEndpoints {

    private final SemelEngine semel;
    private final UnknownOutcomes unknowns;
    private final Approvals approvals;

    UnknownEndpoints(SemelEngine semel, Approvals approvals) {
        this.semel = semel;
        this.unknowns = semel.unknownOutcomes();
        this.approvals = approvals;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.read("POST", "/unknown/search", this::search),
                new Endpoint("POST", "/unknown/settle/preview", Role.OPERATOR, false, this::preview),
                Endpoint.write(Role.OPERATOR, "/unknown/settle", this::settle),
                Endpoint.write(Role.OPERATOR, "/unknown/requeue", this::requeue),
                Endpoint.write(Role.OPERATOR, "/unknown/note", this::note),
                Endpoint.write(Role.OPERATOR, "/unknown/bulk", this::bulk));
    }

    private AdminResponse search(Call call) {
        JsonObject body = call.body();
        body.allow(Set.of("deadLettered", "operation", "scope", "limit", "cursor"));
        Filter given = Arguments.filter(semel, body);
        Filter filter = new Filter(
                given.scope(), given.operation(), Set.of(State.UNKNOWN), given.deadLettered(), null, Age.ANY);
        RecordSearch search = RecordSearch.oldest(filter, Arguments.limit(body)).after(Arguments.cursor(body));
        return AdminResponse.json(200, RecordEndpoints.page(semel.records().search(search), this::queued));
    }

    private Json queued(StoredRecord record) {
        List<AuditEntry> history = unknowns.history(record.identity());
        Reconciling reconciling = record.reconciling();
        List<AuditEntry> ofAttempt = history.stream()
                .filter(entry -> entry.fence() == record.fence())
                .toList();
        List<AuditEntry> notes = ofAttempt.stream()
                .filter(entry -> entry.change() == Change.VIEWED)
                .toList();
        List<AuditEntry> looks = ofAttempt.stream()
                .filter(entry -> entry.change() == Change.RESCHEDULED || entry.change() == Change.DEAD_LETTERED)
                .toList();
        return RecordView.summary(record)
                .with("unknownSince", reconciling == null ? null : reconciling.since())
                .with("unknownForMs", record.unknownFor())
                .with("looks", reconciling == null ? null : reconciling.tries())
                .with("nextLookAt", reconciling == null ? null : reconciling.nextTryAt())
                .with("lastLook", looks.isEmpty() ? null : look(looks.get(looks.size() - 1)))
                .with("evidenceCount", looks.size())
                .with("lastNote", notes.isEmpty() ? null : look(notes.get(notes.size() - 1)))
                .with(
                        "proposal",
                        Proposal.of(record, history)
                                .map(UnknownEndpoints::proposal)
                                .orElse(null));
    }

    private static Json look(AuditEntry entry) {
        return Json.object().with("at", entry.at()).with("by", entry.who()).with("said", entry.why());
    }

    private static Json proposal(Proposal proposal) {
        return Json.object()
                .with("by", proposal.by())
                .with("at", proposal.at())
                .with("verdict", proposal.happened() ? "happened" : "did_not_happen")
                .with("reason", proposal.reason())
                .with("digest", proposal.digest());
    }

    /** The same bytes that a client gets after this settlement. */
    private AdminResponse preview(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "happened", "response", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        Verdict.Final verdict = Arguments.verdict(call.body(), "");
        StoredRecord record = approvals.requireUnknown(lease);
        if (verdict instanceof Verdict.Happened happened) {
            return AdminResponse.json(
                    200, RecordView.answer(RetryAnswer.ofCompleted(happened.response(), record.operation())));
        }
        return AdminResponse.json(
                200,
                Json.object()
                        .with("executes", true)
                        .with("explanation", "The next request with this key executes the operation."));
    }

    private AdminResponse settle(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "happened", "response", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        return AdminResponse.json(200, settle(lease, call.body(), call.person()));
    }

    private Json settle(Lease lease, JsonObject body, Caller caller) {
        String reason = Arguments.reason(body, approvals.longestReason());
        return approvals.settle(lease, Arguments.verdict(body, reason), reason, caller);
    }

    private AdminResponse requeue(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        return AdminResponse.json(200, requeue(lease, call.body(), call.person()));
    }

    private Json requeue(Lease lease, JsonObject body, Caller caller) {
        String reason = Arguments.reason(body, Arguments.LONGEST_REASON);
        Reconciliation answer = unknowns.requeue(lease, caller.evidence(reason));
        if (answer instanceof Reconciliation.NoSuchRecord) {
            throw AdminProblem.noSuchRecord();
        }
        if (answer instanceof Reconciliation.NotUnknown changed) {
            throw Approvals.notUnknown(changed.current(), lease);
        }
        return Json.object().with("requeued", true);
    }

    /** A person looked and cannot tell: the next one sees it, and does not begin anew. */
    private AdminResponse note(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        String reason = Arguments.reason(call.body(), Arguments.LONGEST_REASON);
        approvals.requireUnknown(lease);
        Records.Change change = semel.records().viewed(lease, call.person().evidence(reason));
        if (change instanceof Records.Change.Refused refused) {
            throw Approvals.notUnknown(refused.current(), lease);
        }
        if (change instanceof Records.Change.NoSuchRecord) {
            throw AdminProblem.noSuchRecord();
        }
        return AdminResponse.json(200, Json.object().with("noted", true));
    }

    /** Each record by itself: what happens to one does not depend on the others. */
    private AdminResponse bulk(Call call) {
        JsonObject body = call.body();
        body.allow(Set.of("action", "happened", "response", "records", "reason", "dryRun"));
        String action = body.requiredText("action", 20);
        if (!action.equals("requeue") && !action.equals("settle")) {
            throw new IllegalArgumentException("the member \"action\" must be \"requeue\" or \"settle\"");
        }
        boolean settles = action.equals("settle");
        boolean dryRun = body.requiredFlag("dryRun");
        String reason = Arguments.reason(body, approvals.longestReason());
        Verdict.Final verdict = settles ? Arguments.verdict(body, reason) : null;
        List<JsonObject> named = body.objects("records", Arguments.MAX_PAGE);
        named.forEach(record -> record.allow(Set.of("scope", "key", "fence")));
        List<Lease> leases =
                named.stream().map(record -> Arguments.lease(semel, record)).toList();
        List<Json> results = new ArrayList<>();
        for (Lease lease : leases) {
            results.add(bulkResult(
                    lease,
                    verdict,
                    dryRun,
                    () -> settles ? settle(lease, body, call.person()) : requeue(lease, body, call.person())));
        }
        return AdminResponse.json(200, Json.object().with("dryRun", dryRun).with("results", results));
    }

    private interface Act {
        Json act();
    }

    private Json bulkResult(Lease lease, Verdict.@Nullable Final verdict, boolean dryRun, Act act) {
        Json result = Json.object()
                .with("scope", lease.identity().scope().value())
                .with("key", lease.identity().key().value())
                .with("fence", lease.fence());
        try {
            if (dryRun) {
                approvals.requireUnknown(lease);
                return result.with("would", would(verdict));
            }
            return result.with("did", act.act());
        } catch (AdminProblem problem) {
            return result.with(
                    "error", Json.object().with("code", problem.code()).with("detail", problem.getMessage()));
        } catch (StoreException e) {
            return result.with(
                    "error", Json.object().with("code", "store_unavailable").with("detail", e.getMessage()));
        }
    }

    private String would(Verdict.@Nullable Final verdict) {
        if (verdict == null) {
            return "requeue: the resolver is asked again at once";
        }
        String change = verdict instanceof Verdict.Happened
                ? "unknown -> completed: clients get the response"
                : "unknown -> failed_retryable: the next request executes";
        return approvals.needsSecondPerson() ? change + ", once a second person agrees" : change;
    }
}
