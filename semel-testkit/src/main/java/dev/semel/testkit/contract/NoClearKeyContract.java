package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Retention.Expiry;
import dev.semel.Step;
import dev.semel.engine.SemelEngine;
import dev.semel.key.KeyHygiene;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.Verdict;
import dev.semel.testkit.StoreHarness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Hashed keys, looked for in what lies in the storage below a store, and in the log. */
public interface NoClearKeyContract {

    /** What every key of the scenario begins with, and nothing else. */
    String CLEAR = "jane@example.com/";

    String SCOPE = "acme-of-the-hashed-keys";

    /** An empty store. */
    StoreHarness harness();

    /** Everything that lies in the storage, whatever it is for: files, rows of all tables, keys and values. */
    List<byte[]> storage() throws Exception;

    private static Intent intent(String key) {
        Operation operation = Operation.named("charge").retention(Duration.ofDays(1));
        Identity identity = Identity.of(SCOPE, CLEAR + key);
        return Intent.of(operation, identity.scope(), identity.key(), new Fingerprint("v1:meant"));
    }

    private static Execution<String> charge(SemelEngine semel, String key) {
        return semel.execute(intent(key), Codec.text(), attempt -> "charged");
    }

    private static void lose(SemelEngine semel, String key) {
        assertThatThrownBy(() -> semel.execute(intent(key), Codec.text(), attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    private static void everyVerb(SemelEngine semel, StoreHarness harness) {
        charge(semel, "marked");
        harness.elapse(Duration.ofDays(2));
        assertThat(semel.prune(Expiry.MARK)).isEqualTo(1);
        charge(semel, "deleted");
        harness.elapse(Duration.ofDays(2));
        assertThat(semel.prune(Expiry.DELETE)).isPositive();
        charge(semel, "completed");
        charge(semel, "completed");
        assertThatThrownBy(() -> semel.execute(intent("failed"), Codec.text(), attempt -> {
                    throw new NotExecutedException("closed");
                }))
                .isInstanceOf(NotExecutedException.class);
        semel.execute(
                Intent.of(
                        Operation.named("charge").reexecutableAfterCrash(),
                        intent("steps").identity().scope(),
                        intent("steps").identity().key(),
                        new Fingerprint("v1:meant")),
                Codec.text(),
                attempt -> attempt.step(Step.named("first"), Codec.text(), key -> "done"));
        lose(semel, "unknown");
        lose(semel, "settled");
        assertThat(semel.settle(
                        intent("settled").operation(),
                        intent("settled").identity(),
                        new Verdict.DidNotHappen("statement 7"),
                        "bank"))
                .isInstanceOf(Reconciliation.Accepted.class);
        Reconciler.of(semel.unknownOutcomes())
                .resolve(Operation.named("charge"), unknown -> {
                    throw new IllegalStateException("the bank cannot be reached");
                })
                .build()
                .runOnce();
        semel.begin(intent("running"));
        semel.inspect(
                intent("k").operation(),
                intent("k").identity().scope(),
                intent("k").identity().key(),
                KeyHygiene.WARN);
        assertThat(semel.find(intent("completed").identity())).isPresent();
    }

    @Test
    @DisplayName("no key lies in the storage or the log in the clear, whatever has happened to its record")
    default void no_clear_key() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(new SimpleFormatter().format(record));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.semel");
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            everyVerb(
                    SemelEngine.on(harness().store())
                            .hashedKeys(HashedKeysContract.SECRET)
                            .build(),
                    harness());
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        assertThat(logged).anyMatch(text -> text.contains("poor keys")).noneMatch(text -> text.contains(CLEAR));
        assertThat(holds(SCOPE))
                .as("the scope, which shows that this looks in the right place")
                .isTrue();
        assertThat(holds("h1:")).as("digests").isTrue();
        assertThat(holds(CLEAR)).as("keys in the clear").isFalse();
    }

    private boolean holds(String text) throws Exception {
        for (byte[] bytes : storage()) {
            // One character for each byte, so that none is lost to a decoder.
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains(text)
                    || new String(bytes, StandardCharsets.UTF_16LE).contains(text)) {
                return true;
            }
        }
        return false;
    }
}
