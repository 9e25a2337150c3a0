package dev.semel.grpc;

import dev.semel.Attempt;
import dev.semel.Intent.ReplayCheck;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The interceptor that makes unary calls of gRPC safe to retry. Register it so that interceptors which authenticate run before
 * it; gRPC runs the one that was registered last first:
 *
 * <pre>{@code
 * ServerInterceptor semel = SemelServerInterceptor.on(engine, CallScope.fromContext(CALLER))
 *         .protect("shop.Payments/Charge", CallPolicy.of(Operation.named("charge")))
 *         .build();
 * server.intercept(semel).intercept(authentication);
 * }</pre>
 *
 * <ol>
 *   <li>The key is in the metadata {@link IdempotencyMetadata#KEY}. The method and the bytes of the request are its fingerprint.
 *   <li>The claim is made on the thread that would run the handler, which waits for the store: use the server's usual executor,
 *       not {@code directExecutor()}.
 *   <li>The answer leaves when its record is durable. Client cancellation and deadlines do not reach the handler.
 *   <li>Streaming methods cannot be protected: a call with a key is refused, and one without passes untouched.
 * </ol>
 */
public final class SemelServerInterceptor implements ServerInterceptor {

    private final SemelEngine semel;
    private final CallScope scopes;
    private final Map<String, CallPolicy> policies;
    private final ClaimingListener.Claims claims;

    private SemelServerInterceptor(Builder settings) {
        this.semel = settings.semel;
        this.scopes = settings.scopes;
        this.policies = Map.copyOf(settings.policies);
        this.claims = new ClaimingListener.Claims(
                settings.semel, settings.fingerprinter, settings.replayCheck, settings.hiding, new TimeLimits());
    }

    /** Starts to configure an interceptor. */
    public static Builder on(SemelEngine semel, CallScope scopes) {
        return new Builder(semel, scopes);
    }

    /** The attempt that the calling handler runs in, to derive keys from it or to declare its outcome. */
    public static Optional<Attempt> attempt() {
        return Optional.ofNullable(ProtectedCall.ATTEMPT.get());
    }

    @Override
    public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
            ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
        MethodDescriptor<ReqT, RespT> method = call.getMethodDescriptor();
        CallPolicy policy = policies.get(method.getFullMethodName());
        if (method.getType() != MethodDescriptor.MethodType.UNARY) {
            return policy != null || CallKey.isIn(headers)
                    ? refused(Refusals.streaming(), call)
                    : next.startCall(call, headers);
        }
        if (policy == null) {
            return next.startCall(call, headers);
        }
        CallKey key = CallKey.of(headers);
        if (key instanceof CallKey.Invalid invalid) {
            return refused(Refusals.keyInvalid(invalid.reason()), call);
        }
        if (!(key instanceof CallKey.Found found)) {
            return policy.keyRequired() ? refused(Refusals.keyMissing(), call) : next.startCall(call, headers);
        }
        Scope scope;
        try {
            scope = scopes.of(call, headers).orElse(null);
        } catch (IllegalArgumentException e) {
            return refused(Refusals.scopeInvalid(), call);
        }
        if (scope == null) {
            return refused(Refusals.scopeMissing(), call);
        }
        KeyFinding finding = semel.inspect(policy.operation(), scope, found.key(), policy.keyHygiene())
                .orElse(null);
        if (finding != null && policy.keyHygiene() == KeyHygiene.REFUSE) {
            return refused(Refusals.poorKey(finding), call);
        }
        ClaimingListener.Claimant claimant = new ClaimingListener.Claimant(policy, scope, found.key());
        return new ClaimingListener<>(claims, claimant, call, headers, next).start();
    }

    private static <ReqT, RespT> ServerCall.Listener<ReqT> refused(Reply refusal, ServerCall<ReqT, RespT> call) {
        ReplySender.send(refusal, call);
        return new ServerCall.Listener<>() {};
    }

    /** Configures a {@link SemelServerInterceptor}. */
    public static final class Builder {

        private final SemelEngine semel;
        private final CallScope scopes;
        private final Map<String, CallPolicy> policies = new HashMap<>();
        private Fingerprinter fingerprinter = Fingerprinter.sha256();
        private @Nullable ReplayCheck replayCheck;
        private boolean hiding;

        private Builder(SemelEngine semel, CallScope scopes) {
            this.semel = semel;
            this.scopes = scopes;
        }

        /**
         * Protects a method.
         *
         * @param method its full name, such as {@code shop.Payments/Charge}
         */
        public Builder protect(String method, CallPolicy policy) {
            if (method.startsWith("/") || method.indexOf('/') < 1 || method.endsWith("/")) {
                throw new IllegalArgumentException(
                        "\"" + method
                                + "\" is no full name of a method: write the service, a slash and the method, such as shop.Payments/Charge");
            }
            if (policies.putIfAbsent(method, policy) != null) {
                throw new IllegalArgumentException("the method " + method + " has two policies");
            }
            return this;
        }

        /**
         * Protects a method.
         *
         * @throws IllegalArgumentException when the method streams
         */
        public Builder protect(MethodDescriptor<?, ?> method, CallPolicy policy) {
            if (method.getType() != MethodDescriptor.MethodType.UNARY) {
                throw new IllegalArgumentException(
                        method.getFullMethodName() + " streams, and only unary methods can be protected");
            }
            return protect(method.getFullMethodName(), policy);
        }

        /** Fingerprints by a secret, where readers of the store should not be able to test guesses of a request. */
        public Builder fingerprinter(Fingerprinter newFingerprinter) {
            fingerprinter = newFingerprinter;
            return this;
        }

        /**
         * Asks before a recorded answer is replayed whether the caller may have it; {@code PERMISSION_DENIED} otherwise. The
         * check gets a {@link CallRequest}, and the owner of the key as principal. Without a check, every caller of the key's
         * scope may have the answer.
         */
        public Builder replayCheck(ReplayCheck check) {
            replayCheck = check;
            return this;
        }

        /**
         * Asks the check before the store, for first calls and retries alike, and answers {@code NOT_FOUND} where it refuses: the
         * answer then does not tell whether the key was used.
         */
        public Builder hideRefusedReplays() {
            hiding = true;
            return this;
        }

        public SemelServerInterceptor build() {
            return new SemelServerInterceptor(this);
        }
    }
}
