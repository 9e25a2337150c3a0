package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Codec;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Step;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An attempt as its handler sees it. It keeps the outcome that the handler declared, for when the store does not confirm. */
final class HandlerAttempt implements Attempt {

    private final Attempt attempt;
    private volatile @Nullable Outcome declared;

    HandlerAttempt(Attempt attempt) {
        this.attempt = attempt;
    }

    /** The outcome that the handler declared, or this one where it declared none. */
    Outcome effective(Outcome otherwise) {
        Outcome own = declared;
        return own == null ? otherwise : own;
    }

    @Override
    public void notExecuted(String reason) {
        attempt.notExecuted(reason);
        declared = new Outcome.NotExecuted(reason);
    }

    @Override
    public void outcomeUnknown(String reason) {
        attempt.outcomeUnknown(reason);
        declared = new Outcome.Unknown(reason);
    }

    @Override
    public Lease lease() {
        return attempt.lease();
    }

    @Override
    public int number() {
        return attempt.number();
    }

    @Override
    public Operation operation() {
        return attempt.operation();
    }

    @Override
    public String downstreamKey(String purpose) {
        return attempt.downstreamKey(purpose);
    }

    @Override
    public String downstreamKey(String purpose, Duration honoured) {
        return attempt.downstreamKey(purpose, honoured);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T stepChecked(
            Step step, Codec<T> codec, Step.CheckedWork<T, E> work) throws E {
        return attempt.stepChecked(step, codec, work);
    }

    @Override
    public boolean stillOwner() {
        return attempt.stillOwner();
    }
}
