package dev.semel.internal;

import dev.semel.EncryptionKeys;
import dev.semel.Expiry;
import dev.semel.SemelListener;
import dev.semel.spi.NearCache;
import dev.semel.spi.Tracer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link dev.semel.SemelBuilder} has collected.
 *
 * @param executing whether the engine executes anything; one for operators does not
 */
public record EngineConfig(
        List<SemelListener> listeners,
        @Nullable EncryptionKeys encryption,
        @Nullable NearCache nearCache,
        @Nullable Tracer tracer,
        DownstreamKeys downstreamKeys,
        KeyForm keyForm,
        boolean executing,
        @Nullable Duration pruneEvery,
        Expiry expiry) {}
