package dev.semel.admin;

import dev.semel.Lease;
import dev.semel.State;
import dev.semel.admin.access.AdminProblem;
import dev.semel.admin.access.Caller;
import dev.semel.admin.json.Json;
import dev.semel.admin.settle.Proposal;
import dev.semel.admin.settle.Settlements;
import dev.semel.admin.settle.Settlements.Result;
import dev.semel.admin.settle.Settlements.Settlement;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Records;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.Verdict;
import java.util.Optional;

/**
 * Settlements by people. Where two have to agree, the first one's settlement is a proposal in the record's audit, and the
 * second one's, if it means the same, settles.
 */
final class Approvals {

    private final SemelEngine semel;
    private final UnknownOutcomes unknowns;
    private final Settlements settlements;
    private final Settlements.Retentions retentions;
    private final boolean two;

    Approvals(SemelEngine semel, Settlements.Retentions retentions, boolean two) {
        this.semel = semel;
        this.unknowns = semel.unknownOutcomes();
        this.settlements = new Settlements(semel);
        this.retentions = retentions;
        this.two = two;
    }

    boolean needsSecondPerson() {
        return two;
    }

    /** With two people, both reasons go into one evidence. */
    int longestReason() {
        return two ? Proposal.LONGEST_REASON : Arguments.LONGEST_REASON;
    }

    /** @throws AdminProblem unless the record is unknown under this fence */
    StoredRecord requireUnknown(Lease lease) {
        StoredRecord record = unknowns.findSealed(lease.identity()).orElseThrow(AdminProblem::noSuchRecord);
        if (record.fence() != lease.fence() || record.state() != State.UNKNOWN) {
            throw notUnknown(record, lease);
        }
        return record;
    }

    static AdminProblem notUnknown(StoredRecord current, Lease lease) {
        if (current.fence() != lease.fence()) {
            return AdminProblem.fenceChanged(current.fence(), current.state().label());
        }
        return current.state() == State.IN_PROGRESS
                ? new AdminProblem(
                        409,
                        "record_in_progress",
                        "The attempt is still in progress",
                        "Nothing was changed. Its lease has not ended, or that was not noticed yet.")
                : settledOtherwise(current.state());
    }

    private static AdminProblem settledOtherwise(State state) {
        return new AdminProblem(
                409,
                "settled_otherwise",
                "The outcome is settled already",
                "The record is " + state.label() + " now. Nothing was changed. Load the record to see who settled it.");
    }

    Json settle(Lease lease, Verdict.Final verdict, String reason, Caller caller) {
        if (!two) {
            return settled(new Settlement(lease.identity(), lease.fence(), verdict, caller.source()));
        }
        StoredRecord record = requireUnknown(lease);
        Optional<Proposal> proposal = Proposal.of(record, unknowns.history(lease.identity()));
        boolean same = proposal.isPresent() && proposal.get().digest().equals(Proposal.digest(verdict));
        boolean ofOther =
                proposal.isPresent() && !caller.isCalled(proposal.get().by());
        if (ofOther && !same) {
            throw new AdminProblem(
                    409,
                    "proposal_differs",
                    "Another settlement is proposed",
                    proposal.get().by() + " has proposed another verdict or another response. Agree with it, or let "
                            + proposal.get().by() + " propose yours.");
        }
        if (ofOther) {
            return settled(new Settlement(
                    lease.identity(), lease.fence(), agreed(verdict, reason, proposal.get()), caller.source()));
        }
        if (!same) {
            propose(lease, verdict, reason, caller);
        }
        return Json.object().with("settled", false).with("proposed", true).with("needs", 1);
    }

    private static Verdict.Final agreed(Verdict.Final verdict, String reason, Proposal proposal) {
        String detail = reason + " (proposed by " + proposal.by() + ": " + proposal.reason() + ")";
        return verdict instanceof Verdict.Happened happened
                ? new Verdict.Happened(happened.response(), detail)
                : new Verdict.DidNotHappen(detail);
    }

    private void propose(Lease lease, Verdict.Final verdict, String reason, Caller caller) {
        Records.Change change = semel.records().proposed(lease, caller.evidence(Proposal.text(verdict, reason)));
        if (change instanceof Records.Change.Refused refused) {
            throw notUnknown(refused.current(), lease);
        }
        if (change instanceof Records.Change.NoSuchRecord) {
            throw AdminProblem.noSuchRecord();
        }
    }

    private Json settled(Settlement settlement) {
        Result result = settlements.settle(settlement, retentions);
        if (result instanceof Result.Settled settled) {
            return Json.object()
                    .with("settled", true)
                    .with("state", settled.state().label())
                    .with("already", !settled.now());
        }
        if (result instanceof Result.FenceChanged changed) {
            throw AdminProblem.fenceChanged(changed.fence(), changed.state().label());
        }
        if (result instanceof Result.SettledOtherwise otherwise) {
            throw settledOtherwise(otherwise.state());
        }
        if (result instanceof Result.InProgress) {
            throw new AdminProblem(
                    409,
                    "record_in_progress",
                    "The attempt is still in progress",
                    "Nothing was changed. Its lease has not ended, or that was not noticed yet.");
        }
        throw AdminProblem.noSuchRecord();
    }
}
