package dev.semel.http;

import dev.semel.Refusal;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;

/** What becomes of a protected request after its claim, or where it could not be claimed. */
final class Decisions {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private Decisions() {}

    static Decision of(RoutePolicy policy, RequestView request, Answers answers, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return new Decision.Proceed(new Run(granted.attempt(), policy, answers));
        }
        if (claim instanceof Claim.Recorded recorded) {
            return new Decision.Reply(
                    answers.replay(recorded.response(), policy.operation().name(), recorded.recording()));
        }
        Refusal why = ((Claim.Refused) claim).why();
        if (why instanceof Refusal.Mismatch mismatch) {
            return new Decision.Reply(answers.mismatch(policy.mismatchStatus(), mismatch));
        }
        if (why instanceof Refusal.ReplayForbidden forbidden) {
            return new Decision.Reply(answers.replayRefused(forbidden, policy.refusedReplay()));
        }
        if (why instanceof Refusal.InProgress running) {
            return new Decision.Reply(
                    policy.inProgress() == InProgressAnswer.ACCEPTED
                            ? answers.accepted(request, policy, running.retryAfter())
                            : answers.conflict(running.retryAfter()));
        }
        if (why instanceof Refusal.KeyExpired) {
            return new Decision.Reply(answers.keyExpired());
        }
        return new Decision.Reply(
                why instanceof Refusal.KeyFromFuture ? answers.keyFromFuture() : answers.outcomeUnknown());
    }

    /** The decision where the store is unavailable. */
    static Decision withoutStore(RoutePolicy policy, Answers answers, StoreException fault) {
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
}
