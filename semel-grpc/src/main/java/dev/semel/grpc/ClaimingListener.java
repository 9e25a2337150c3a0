package dev.semel.grpc;

import dev.semel.Intent;
import dev.semel.Intent.Guard;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Key;
import dev.semel.Refusal;
import dev.semel.Scope;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Collects the request of a unary call, claims when it is complete, and has the handler run, or answers in its place. gRPC calls
 * a listener from one thread at a time.
 */
final class ClaimingListener<ReqT, RespT> extends ServerCall.Listener<ReqT> {

    /** gRPC's own choice for unary calls: the second message is how it notices a client that sends too many. */
    private static final int MESSAGES = 2;

    private static final System.Logger LOG = System.getLogger("dev.semel.grpc");

    /**
     * What calls are claimed with.
     *
     * @param hiding whether the check is asked before the store, so that its answer cannot depend on what is on record
     */
    record Claims(
            SemelEngine semel,
            Fingerprinter fingerprinter,
            @Nullable ReplayCheck check,
            boolean hiding,
            TimeLimits limits) {}

    /** Whose key is claimed, under which policy. */
    record Claimant(CallPolicy policy, Scope scope, Key key) {}

    private final Claims claims;
    private final Claimant claimant;
    private final ServerCall<ReqT, RespT> call;
    private final Metadata headers;
    private final ServerCallHandler<ReqT, RespT> next;
    private @Nullable ReqT request;
    private @Nullable ProtectedCall<ReqT, RespT> running;
    private boolean over;

    ClaimingListener(
            Claims claims,
            Claimant claimant,
            ServerCall<ReqT, RespT> call,
            Metadata headers,
            ServerCallHandler<ReqT, RespT> next) {
        this.claims = claims;
        this.claimant = claimant;
        this.call = call;
        this.headers = headers;
        this.next = next;
    }

    ClaimingListener<ReqT, RespT> start() {
        call.request(MESSAGES);
        return this;
    }

    @Override
    public void onMessage(ReqT message) {
        if (request == null) {
            request = message;
        } else {
            answer(broken("Too many requests"));
        }
    }

    @Override
    public void onHalfClose() {
        ReqT received = request;
        if (over) {
            return;
        }
        if (received == null) {
            answer(broken("Half-closed without a request"));
            return;
        }
        over = true;
        claim(received);
    }

    private void claim(ReqT received) {
        Intent intent = guarded(intent(received), received);
        Refusal before = claims.hiding()
                ? claims.semel()
                        .askGuard(intent, true)
                        .toCompletableFuture()
                        .join()
                        .orElse(null)
                : null;
        if (before instanceof Refusal.ReplayForbidden forbidden) {
            ReplySender.send(Refusals.replayRefused(forbidden, true), call);
            return;
        }
        Claim claim;
        try {
            claim = claims.semel().begin(intent);
        } catch (StoreException fault) {
            LOG.log(
                    Level.WARNING,
                    "a call of " + claimant.policy().operation().name()
                            + " is refused, because the store is unavailable",
                    fault);
            ReplySender.send(Refusals.storeUnavailable(), call);
            return;
        }
        if (claim instanceof Claim.Granted granted) {
            ProtectedCall<ReqT, RespT> granting =
                    new ProtectedCall<>(granted.attempt(), claimant.policy(), call, claims.limits());
            running = granting;
            granting.handle(next, headers, received);
        } else if (claim instanceof Claim.Recorded recorded) {
            ReplySender.send(replayOf(recorded), call);
        } else {
            Refusal why = ((Claim.Refused) claim).why();
            ReplySender.send(
                    why instanceof Refusal.ReplayForbidden forbidden
                            ? Refusals.replayRefused(forbidden, claims.hiding())
                            : Refusals.of(why),
                    call);
        }
    }

    private Intent guarded(Intent intent, ReqT received) {
        ReplayCheck check = claims.check();
        return check == null
                ? intent
                : intent.guardedBy(new Guard(
                        check,
                        new CallRequest(call.getMethodDescriptor().getFullMethodName(), headers, received),
                        claimant.scope().value()));
    }

    private Intent intent(ReqT received) {
        MethodDescriptor<ReqT, RespT> method = call.getMethodDescriptor();
        Parts parts = Parts.builder()
                .add("grpc", method.getFullMethodName())
                .add("message", RecordedReply.bytesOf(method.streamRequest(received)))
                .build();
        Fingerprinter fingerprinter = claims.fingerprinter();
        return Intent.of(claimant.policy().operation(), claimant.scope(), claimant.key(), fingerprinter.of(parts))
                .sameAs(stored -> fingerprinter.matches(stored, parts))
                .describedAs(method.getFullMethodName());
    }

    private Reply replayOf(Claim.Recorded recorded) {
        RecordedReply reply = RecordedReply.from(recorded.response()).orElse(null);
        if (reply == null) {
            LOG.log(
                    Level.ERROR,
                    "a completed record of {0} holds no answer that this release can read",
                    claimant.policy().operation().name());
        }
        return reply == null || !reply.retained()
                ? Refusals.notRetained()
                : reply.reply().replayed();
    }

    /** Answers a call that breaks the protocol of gRPC, like gRPC itself. */
    private void answer(Reply reply) {
        if (!over) {
            over = true;
            ReplySender.send(reply, call);
        }
    }

    private static Reply broken(String description) {
        return Reply.failure(Status.INTERNAL.withDescription(description), new Metadata());
    }

    @Override
    public void onCancel() {
        over = true;
        if (running != null) {
            running.cancelled();
        }
    }

    @Override
    public void onComplete() {
        if (running != null) {
            running.completed();
        }
    }
}
