package dev.semel.observability;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;

/** A store in memory that fails on demand, with a manual clock. */
abstract class Fixture {

    static final Operation CHARGE = Operation.named("charge").lease(Duration.ofSeconds(30));

    final ManualTime time = new ManualTime();
    final MemoryStore memory = new MemoryStore(time);
    final FaultyStore store = new FaultyStore(memory);

    static Intent intent(Operation operation, String scope, String key, String meaning) {
        Identity identity = Identity.of(scope, key);
        return Intent.of(
                operation,
                identity.scope(),
                identity.key(),
                new Fingerprint("v1:" + Integer.toHexString(meaning.hashCode())));
    }

    static Intent intent(String key) {
        return intent(CHARGE, "acme", key, "100 EUR");
    }

    static Intent misuse(String scope) {
        return intent(CHARGE, scope, "k", "200 EUR");
    }

    Execution<String> execute(SemelEngine semel, String key) {
        return semel.execute(intent(key), Codec.text(), attempt -> "charged");
    }

    /** Leaves an unknown outcome. */
    void becomeUnknown(SemelEngine semel, String key) {
        try {
            semel.execute(intent(key), Codec.text(), attempt -> {
                throw new OutcomeUnknownException("timeout");
            });
        } catch (OutcomeUnknownException expected) {
            // Expected.
        }
    }
}
