package dev.semel.benchmarks.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Scope;
import dev.semel.engine.EncryptionKeys;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import org.jspecify.annotations.Nullable;

/**
 * An engine on a memory store that never has many records, and never sees a key twice unless it is asked to.
 *
 * <p>Records stay until their retention ends. So the store is replaced now and then, or a benchmark of a few seconds would
 * measure how the garbage collector copes with millions of them.
 */
final class FreshEngine implements AutoCloseable {

    /** Few enough for any heap; enough that making an engine does not count. */
    private static final int MOST_RECORDS = 20_000;

    private static final Operation OPERATION = Operation.named("create-payment");
    private static final Scope SCOPE = Scope.of("account-17");
    private static final Fingerprint FINGERPRINT = new Fingerprint("v1:" + "0f".repeat(32));

    private final @Nullable EncryptionKeys encryption;
    private SemelEngine semel;
    private long lastKey;

    FreshEngine(@Nullable EncryptionKeys encryption) {
        this.encryption = encryption;
        this.semel = engine();
    }

    private SemelEngine engine() {
        SemelEngine.Builder builder = SemelEngine.on(new MemoryStore());
        return (encryption == null ? builder : builder.encryption(encryption)).build();
    }

    SemelEngine semel() {
        return semel;
    }

    /** Executes under a key that was never used before. */
    Execution<byte[]> executeNew(byte[] response) {
        lastKey++;
        if (lastKey % MOST_RECORDS == 0) {
            semel.close();
            semel = engine();
        }
        return execute(intent("8e03978e-40d5-43dd-bc93-" + lastKey), response);
    }

    Execution<byte[]> execute(Intent intent, byte[] response) {
        return semel.execute(intent, Codec.bytes(), attempt -> response);
    }

    static Intent intent(String key) {
        return Intent.of(OPERATION, SCOPE, Key.of(key), FINGERPRINT);
    }

    @Override
    public void close() {
        semel.close();
    }
}
