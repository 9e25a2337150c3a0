package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Semel.CheckedWork;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.testkit.ManualTime;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine on a memory store that fails on demand, in time that passes on demand. */
abstract class EngineFixture {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Operation CHARGE = Operation.named("charge").lease(LEASE);
    static final Identity ID = Identity.of("acme", "k");

    final ManualTime time = new ManualTime();
    final MemoryStore memory = new MemoryStore(time);
    final FaultyStore store = new FaultyStore(memory);
    final List<Event> events = new CopyOnWriteArrayList<>();
    final SemelEngine semel =
            SemelEngine.on(store).timer(time).listener(events::add).build();

    /** How often the operation's code ran. */
    int executions;

    static Intent intent(Operation operation) {
        return intent(operation, "100 EUR");
    }

    static Intent intent(Operation operation, String meaning) {
        return Intent.of(
                operation, ID.scope(), ID.key(), new Fingerprint("v1:" + Integer.toHexString(meaning.hashCode())));
    }

    Execution<String> execute(Operation operation) {
        return semel.execute(intent(operation), Codec.text(), attempt -> "charged " + ++executions);
    }

    <E extends Exception> Execution<String> execute(Operation operation, CheckedWork<String, E> work) throws E {
        return semel.executeChecked(intent(operation), Codec.text(), attempt -> {
            executions++;
            return work.run(attempt);
        });
    }

    StoredRecord onRecord() {
        return memory.find(ID).toCompletableFuture().join().orElseThrow();
    }

    List<String> eventNames() {
        return events.stream().map(event -> event.getClass().getSimpleName()).toList();
    }
}
