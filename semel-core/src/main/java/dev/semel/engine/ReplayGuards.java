package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.Recorded;
import dev.semel.Intent.Replay;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Outcome;
import dev.semel.Refusal;
import dev.semel.Refusal.Mismatch.Difference;
import dev.semel.adapter.Claim;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the guard of an intent before its caller gets a recorded response.
 *
 * <ol>
 *   <li>Every claim passes here after it is decided, whether the store, the near-cache or a wait decided it. Without a guard it
 *       passes untouched.
 *   <li>A guard that refuses turns a recorded claim into a refusal, before any transport sees the response. A refusal executes
 *       nothing (I1) and changes no record (I4).
 *   <li>A guard that fails or takes too long refuses, too; the refusal says that it was not decided.
 *   <li>Only callers that the guard allows the response learn what differs in a mismatch; of a first request for another method or
 *       path, they learn only that.
 *   <li>Refusals are reported to listeners at once, and written into the record's audit later ({@link ReplayAudit}).
 * </ol>
 */
final class ReplayGuards {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** The parts of a request that decide what handles it. */
    private static final Set<String> PLACE = Set.of("method", "path");

    private final Listeners listeners;
    private final Timer timer;
    private final ReplayAudit audit;

    ReplayGuards(Context context) {
        this.listeners = context.listeners();
        this.timer = context.timer();
        this.audit = new ReplayAudit(context);
    }

    /** The claim for the intent's caller; waits for the guard. */
    Claim checked(Intent intent, Claim claim) {
        Guard guard = intent.guard();
        return guard != null && isGuarded(claim)
                ? checked(intent, guard, claim, true).toCompletableFuture().join()
                : claim;
    }

    /** The claim for the intent's caller, without blocking. */
    CompletionStage<Claim> checkedAsync(Intent intent, CompletionStage<Claim> claiming) {
        Guard guard = intent.guard();
        if (guard == null) {
            return claiming;
        }
        CompletableFuture<Claim> result = new CompletableFuture<>();
        claiming.whenComplete((claim, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (isGuarded(claim)) {
                checked(intent, guard, claim, false).thenAccept(result::complete);
            } else if (!result.complete(claim) && claim instanceof Claim.Granted granted) {
                // The caller has cancelled or timed out: no caller is left to execute.
                granted.attempt().settle(new Outcome.NotExecuted("caller_cancelled"));
            }
        });
        return result;
    }

    /** Whether a claim says something of what is on record that only some callers may have. */
    private static boolean isGuarded(Claim claim) {
        return claim instanceof Claim.Recorded || isExplained(claim);
    }

    private static boolean isExplained(Claim claim) {
        return !explanationOf(claim).differences().isEmpty();
    }

    private static Refusal.Mismatch explanationOf(Claim claim) {
        return claim instanceof Claim.Refused refused && refused.why() instanceof Refusal.Mismatch mismatch
                ? mismatch
                : new Refusal.Mismatch();
    }

    private CompletionStage<Claim> checked(Intent intent, Guard guard, Claim claim, boolean mayBlock) {
        if (!(claim instanceof Claim.Recorded replay)) {
            return unexplainedUnlessAllowed(intent, guard, claim, mayBlock);
        }
        Recorded recorded =
                new Recorded(replay.recording().fence(), replay.recording().age());
        return ask(guard, replay.recording().operation(), intent.identity(), recorded, mayBlock)
                .thenApply(refusal -> refusal.<Claim>map(Claim.Refused::new).orElse(claim));
    }

    /**
     * A mismatch explains the difference from a request whose response this caller may have; else it only says that there is one. The
     * check is asked about the request at hand: what it allows does not count for a first request with another method or path.
     */
    private CompletionStage<Claim> unexplainedUnlessAllowed(Intent intent, Guard guard, Claim claim, boolean mayBlock) {
        Refusal.Mismatch mismatch = explanationOf(claim);
        Replay replay = new Replay(
                intent.operation().name(), intent.identity(), guard.request(), guard.principal(), null, mayBlock);
        return answered(guard.check(), replay)
                .handle((allowed, failure) -> new Claim.Refused(
                        failure == null && Boolean.TRUE.equals(allowed)
                                ? ofSamePlace(mismatch)
                                : new Refusal.Mismatch()));
    }

    private static Refusal.Mismatch ofSamePlace(Refusal.Mismatch mismatch) {
        List<Difference> places = mismatch.differences().stream()
                .filter(difference -> PLACE.contains(difference.part()))
                .toList();
        return places.isEmpty() ? mismatch : new Refusal.Mismatch(places, false);
    }

    /**
     * Asks a guard.
     *
     * @param recorded null before the store was asked
     * @return the refusal; empty where the guard allows. The stage never fails
     */
    CompletionStage<Optional<Refusal>> ask(
            Guard guard, String operation, Identity identity, @Nullable Recorded recorded, boolean mayBlock) {
        Replay replay = new Replay(operation, identity, guard.request(), guard.principal(), recorded, mayBlock);
        return answered(guard.check(), replay).handle((allowed, failure) -> {
            if (failure == null && Boolean.TRUE.equals(allowed)) {
                return Optional.empty();
            }
            boolean decided = failure == null && allowed != null;
            if (!decided) {
                LOG.log(
                        Level.WARNING,
                        "a replay of " + operation + " " + identity
                                + " is refused, because the check of the caller's rights gave no answer",
                        Faults.unwrapped(failure));
            }
            listeners.tell(new Event.ReplayRefused(operation, identity, decided));
            if (decided) {
                audit.refused(replay);
            }
            return Optional.of(new Refusal.ReplayForbidden(decided));
        });
    }

    private CompletableFuture<Boolean> answered(ReplayCheck check, Replay replay) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try {
            Objects.requireNonNull(check.mayReplay(replay), "the check returned no stage")
                    .whenComplete((allowed, failure) -> {
                        if (failure == null) {
                            answer.complete(allowed);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
        } catch (RuntimeException | Error fault) {
            answer.completeExceptionally(fault);
        }
        if (!answer.isDone()) {
            Timer.Cancellable limit = timer.after(
                    ReplayCheck.LONGEST,
                    () -> answer.completeExceptionally(
                            new TimeoutException("the check took longer than " + ReplayCheck.LONGEST)));
            CompletableFuture<Boolean> unused = answer.whenComplete((allowed, failure) -> limit.cancel());
        }
        return answer;
    }

    void close() {
        audit.close();
    }
}
