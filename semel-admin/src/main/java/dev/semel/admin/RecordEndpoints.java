package dev.semel.admin;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.admin.Endpoint.Call;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Role;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.settle.Proposal;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Page;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls about records in any state. */
final class RecordEndpoints {

    private static final System.Logger LOG = System.getLogger("dev.semel.admin");

    /** Records about the store itself: the form of its keys, the secret of a tier. */
    private static final String OWN_SCOPE = "dev.semel";

    private final SemelEngine semel;
    private final Records records;
    private final @Nullable ReplayLog replays;

    /** @param replays null where no requests pass */
    RecordEndpoints(SemelEngine semel, @Nullable ReplayLog replays) {
        this.semel = semel;
        this.replays = replays;
        this.records = semel.records();
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.read("POST", "/records/search", this::search),
                Endpoint.read("POST", "/records/get", this::get),
                new Endpoint("POST", "/records/response", Role.OPERATOR, false, this::response),
                new Endpoint("POST", "/records/step", Role.OPERATOR, false, this::step),
                Endpoint.write(Role.ADMINISTRATOR, "/records/forget", this::forget),
                Endpoint.write(Role.ADMINISTRATOR, "/prune", this::prune));
    }

    private AdminResponse search(Call call) {
        JsonObject body = call.body();
        body.allow(Set.of(
                "scope",
                "operation",
                "states",
                "keyPrefix",
                "key",
                "olderThanMs",
                "youngerThanMs",
                "deadLettered",
                "limit",
                "cursor"));
        RecordSearch search = Arguments.search(semel, body);
        return AdminResponse.json(200, page(records.search(search), RecordView::summary));
    }

    /** How a record of a page is shown. */
    interface View {
        Json of(StoredRecord record);
    }

    static Json page(Page page, View view) {
        return Json.object()
                .with("records", page.records().stream().map(view::of).toList())
                .with("nextCursor", Cursor.text(page.next()))
                .with("cost", Json.object().with("examined", page.examined()).with("plan", page.plan()))
                .with("complete", page.complete());
    }

    private AdminResponse get(Call call) {
        call.body().allow(Set.of("scope", "key"));
        Identity identity = Arguments.identity(semel, call.body());
        List<AuditEntry> history = semel.unknownOutcomes().history(identity);
        Json json;
        try {
            json = RecordView.whole(records.find(identity).orElseThrow(AdminProblem::noSuchRecord), history);
        } catch (StoreException e) {
            json = RecordView.sealed(sealed(identity), history, String.valueOf(e.getMessage()));
        }
        return AdminResponse.json(200, json.with("replays", replays == null ? null : replays.of(identity)));
    }

    /** A record whose response cannot be opened here; fails when the store does not answer at all. */
    private StoredRecord sealed(Identity identity) {
        return semel.unknownOutcomes().findSealed(identity).orElseThrow(AdminProblem::noSuchRecord);
    }

    /** Says why a response cannot be shown, before the audit says that it was. */
    private void requireResponse(Lease lease) {
        try {
            StoredRecord record = records.find(lease.identity()).orElseThrow(AdminProblem::noSuchRecord);
            if (record.fence() != lease.fence() || record.response() == null) {
                throw refusal(record, lease);
            }
        } catch (StoreException e) {
            sealed(lease.identity());
            throw closed(e);
        }
    }

    private static AdminProblem closed(StoreException why) {
        return new AdminProblem(
                409,
                "response_sealed",
                "The response cannot be opened here",
                why.getMessage() + ". Nothing was shown. `semel console` and `semel keys show` take keys with"
                        + " --encryption-keys-file.");
    }

    /** The entry of the audit is written first: no body is shown that the audit does not know of. */
    private AdminResponse response(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        String reason = Arguments.reason(call.body(), Arguments.LONGEST_REASON);
        requireResponse(lease);
        requireDone(records.viewed(lease, call.person().evidence(reason)), lease);
        StoredRecord record = records.find(lease.identity()).orElseThrow(AdminProblem::noSuchRecord);
        Response response = record.response();
        if (record.fence() != lease.fence() || response == null) {
            throw AdminProblem.fenceChanged(record.fence(), record.state().label());
        }
        return AdminResponse.json(200, RecordView.opened(response));
    }

    /** What an attempt recorded on its way, while its outcome is unknown: it is evidence. The audit says it first. */
    private AdminResponse step(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "step", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        String step = call.body().requiredText("step", Arguments.LONGEST_NAME);
        String reason = Arguments.reason(call.body(), Proposal.LONGEST_REASON);
        StoredRecord record =
                semel.unknownOutcomes().findSealed(lease.identity()).orElseThrow(AdminProblem::noSuchRecord);
        if (record.fence() != lease.fence() || record.state() != State.UNKNOWN) {
            throw Approvals.notUnknown(record, lease);
        }
        Response result = stepOf(record, step)
                .orElseThrow(() -> new AdminProblem(
                        404, "no_such_step", "No such step is recorded", "The record has the names of its steps."));
        requireDone(records.viewed(lease, call.person().evidence("step " + step + ": " + reason)), lease);
        return AdminResponse.json(200, RecordView.opened(result));
    }

    private Optional<Response> stepOf(StoredRecord record, String step) {
        try {
            return semel.unknownOutcomes().recordedStep(record, step);
        } catch (StoreException e) {
            throw closed(e);
        }
    }

    private AdminResponse forget(Call call) {
        call.body().allow(Set.of("scope", "key", "fence", "reason"));
        Lease lease = Arguments.lease(semel, call.body());
        String reason = Arguments.reason(call.body(), Arguments.LONGEST_REASON);
        if (lease.identity().scope().value().startsWith(OWN_SCOPE)) {
            throw new AdminProblem(
                    409,
                    "record_of_semel",
                    "This record belongs to Semel itself",
                    "Nothing was changed. Without it, stored keys or copies could not be read any more.");
        }
        requireDone(records.forget(lease, call.person().evidence(reason)), lease);
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} let a record expire: scope {1}, {2}, fence {3}; the next request with its key executes",
                call.person().source(),
                lease.identity().scope(),
                lease.identity().key().redacted(),
                lease.fence());
        return AdminResponse.json(200, Json.object().with("forgotten", true));
    }

    private static void requireDone(Records.Change change, Lease lease) {
        if (change instanceof Records.Change.NoSuchRecord) {
            throw AdminProblem.noSuchRecord();
        }
        if (change instanceof Records.Change.Refused refused) {
            throw refusal(refused.current(), lease);
        }
    }

    private static AdminProblem refusal(StoredRecord current, Lease lease) {
        if (current.fence() != lease.fence()) {
            return AdminProblem.fenceChanged(current.fence(), current.state().label());
        }
        if (current.state() == State.IN_PROGRESS) {
            return new AdminProblem(
                    409,
                    "record_in_progress",
                    "The record is in progress",
                    "Nothing was changed. Wait until the attempt has ended, or its lease has expired.");
        }
        if (current.state() == State.UNKNOWN) {
            return new AdminProblem(
                    409,
                    "record_unknown",
                    "The outcome is unknown",
                    "Nothing was changed. To forget it could execute the operation a second time: settle it first.");
        }
        return new AdminProblem(
                409,
                "record_" + current.state().label(),
                "The record is " + current.state().label().replace('_', ' '),
                "Nothing was changed. Load the record again.");
    }

    private AdminResponse prune(Call call) {
        call.body().allow(Set.of("reason"));
        String reason = Arguments.reason(call.body(), Arguments.LONGEST_REASON);
        long deleted = semel.prune(Expiry.DELETE);
        LOG.log(
                System.Logger.Level.INFO,
                "{0} pruned {1} records: {2}",
                call.person().source(),
                deleted,
                reason);
        return AdminResponse.json(200, Json.object().with("deleted", deleted));
    }
}
