package dev.semel.engine;

import dev.semel.Retention.Expiry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SemelEngine.Builder} has collected.
 *
 * @param explanations where the secret for explained mismatches comes from; null where they are not explained
 * @param executing whether the engine executes anything; one for operators does not
 */
record EngineConfig(
        List<SemelListener> listeners,
        @Nullable EncryptionKeys encryption,
        @Nullable NearCache nearCache,
        @Nullable Tracer tracer,
        DownstreamKeys downstreamKeys,
        KeyForm keyForm,
        @Nullable ExplanationSecret explanations,
        boolean executing,
        @Nullable Duration pruneEvery,
        Expiry expiry) {}
