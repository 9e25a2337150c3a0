package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.engine.SemelEngine;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs the calls of {@link Idempotent} methods through the engine. */
final class IdempotentCalls implements IdempotentAdvisor.Invoker {

    private final SemelEngine semel;
    private final MethodIntents intents;
    private final CallFormat format;
    private final CurrentAttempt current;
    private final MethodTransactions transactions;

    IdempotentCalls(
            SemelEngine semel,
            MethodIntents intents,
            CallFormat format,
            CurrentAttempt current,
            MethodTransactions transactions) {
        this.semel = semel;
        this.intents = intents;
        this.format = format;
        this.current = current;
        this.transactions = transactions;
    }

    @Override
    public @Nullable Object invoke(IdempotentMethod method, MethodInvocation call) throws Throwable {
        Intent intent = intents.of(method, call);
        Codec<Object> codec = format.codec(method);
        if (method.isAsynchronous()) {
            return semel.executeAsync(intent, codec, attempt -> started(attempt, call))
                    .thenApply(Execution::orThrow);
        }
        Execution<Object> execution = transactions.isTransactional(method)
                ? transactions.execute(semel, method, intent, codec, attempt -> run(attempt, call))
                : semel.executeChecked(intent, codec, attempt -> run(attempt, call));
        return execution.orThrow();
    }

    private Object run(Attempt attempt, MethodInvocation call) throws Exception {
        return current.during(attempt, () -> proceed(call));
    }

    @SuppressWarnings("unchecked")
    private CompletionStage<Object> started(Attempt attempt, MethodInvocation call) {
        Object stage;
        try {
            stage = run(attempt, call);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
        return (CompletionStage<Object>) stage;
    }

    /** The result of a method may be null; engine and codec accept that. */
    @SuppressWarnings("NullAway")
    private static Object proceed(MethodInvocation call) throws Exception {
        try {
            return call.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }
}
