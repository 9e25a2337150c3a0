package dev.semel.reconcile;

import dev.semel.Codec;
import dev.semel.Identity;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An unknown record that this reconciler has taken, and no other has. */
record Taken(UnknownOutcomes unknowns, StoredRecord record) implements UnknownOutcome {

    @Override
    public Identity identity() {
        return record.identity();
    }

    @Override
    public String operation() {
        return record.operation();
    }

    @Override
    public long fence() {
        return record.fence();
    }

    @Override
    public @Nullable String reason() {
        return record.reason();
    }

    @Override
    public Duration age() {
        return record.unknownFor();
    }

    @Override
    public int tries() {
        return record.reconciling() == null ? 0 : record.reconciling().tries();
    }

    @Override
    public String downstreamKey(String purpose) {
        return unknowns.downstreamKey(record.identity(), purpose);
    }

    @Override
    public <T> Optional<T> recordedStep(String name, Codec<T> codec) {
        return unknowns.recordedStep(record, name).map(response -> codec.decode(response.bytes()));
    }
}
