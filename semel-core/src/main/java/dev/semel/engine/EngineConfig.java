package dev.semel.engine;

import dev.semel.Retention.Expiry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SemelEngine.Builder} has collected.
 *
 * @param executing whether the engine executes anything; one for operators does not
 */
record EngineConfig(
        List<SemelListener> listeners,
        @Nullable EncryptionKeys encryption,
        @Nullable NearCache nearCache,
        @Nullable Tracer tracer,
        DownstreamKeys downstreamKeys,
        KeyForm keyForm,
        boolean executing,
        @Nullable Duration pruneEvery,
        Expiry expiry) {}
