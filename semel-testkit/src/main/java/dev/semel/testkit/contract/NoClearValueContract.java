package dev.semel.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal.Mismatch;
import dev.semel.Refusal.Mismatch.Difference;
import dev.semel.Refusal.Mismatch.Kind;
import dev.semel.Semel.Work;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.testkit.StoreHarness;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Explained mismatches: what requests contained, looked for in what lies in the storage below a store, and in answers. */
public interface NoClearValueContract {

    /** What every value of the scenario begins with, and nothing else. */
    String VALUE = "m4rked-value";

    /** What the name of a member begins with. */
    String NAME = "m4rked-name";

    String SCOPE_OF_VALUES = "acme-of-the-marked-values";

    /** An empty store. */
    StoreHarness harness();

    /** Everything that lies in the storage, whatever it is for: files, rows of all tables, keys and values. */
    List<byte[]> storage() throws Exception;

    private static Intent intent(String key, String body) {
        Parts parts = Parts.builder()
                .add("query", "q=" + VALUE)
                .body("application/json", body.getBytes(StandardCharsets.UTF_8))
                .build();
        Identity identity = Identity.of(SCOPE_OF_VALUES, key);
        return Intent.of(
                        Operation.named("charge"),
                        identity.scope(),
                        identity.key(),
                        Fingerprinter.sha256().of(parts))
                .describedAs("POST /charges")
                .detailedBy(parts);
    }

    private static Intent first(String key) {
        return intent(key, "{\"amount\":\"" + VALUE + "1\",\"" + NAME + "\":\"" + VALUE + "2\"}");
    }

    private static void fails(SemelEngine semel, String key, Work<String> work) {
        assertThatThrownBy(() -> semel.execute(first(key), Codec.text(), work)).isInstanceOf(RuntimeException.class);
    }

    @Test
    @DisplayName("I7: no value and no name of a request lies in the storage, whatever has happened to its record,"
            + " and a mismatch says which differ")
    default void no_clear_value() throws Exception {
        SemelEngine semel =
                SemelEngine.on(harness().store()).explainMismatches().build();
        semel.execute(first("completed"), Codec.text(), attempt -> "charged");
        fails(semel, "unknown", attempt -> {
            throw new OutcomeUnknownException("timeout");
        });
        for (int i = 0; i < 2; i++) {
            fails(semel, "failed", attempt -> {
                throw new NotExecutedException("closed");
            });
        }
        semel.begin(first("running"));
        for (String key : List.of("completed", "unknown", "failed", "running")) {
            Intent other = intent(key, "{\"amount\":\"" + VALUE + "3\",\"other\":\"" + VALUE + "4\"}");
            Execution<String> refused = semel.execute(other, Codec.text(), attempt -> "charged twice");
            assertThat(refused)
                    .as(key)
                    .isEqualTo(new Execution.Refused<>(new Mismatch(
                            List.of(
                                    new Difference("body", "/amount", Kind.CHANGED),
                                    new Difference("body", "/" + NAME, Kind.MISSING),
                                    new Difference("body", "/other", Kind.ADDED)),
                            false)));
            assertThat(refused.toString()).doesNotContain(VALUE);
        }
        assertThat(inStorage(SCOPE_OF_VALUES))
                .as("the scope, which shows that this looks in the right place")
                .isTrue();
        assertThat(inStorage("POST /charges")).as("what operators see").isTrue();
        assertThat(inStorage(VALUE)).as("values").isFalse();
        assertThat(inStorage(NAME)).as("names").isFalse();
    }

    private boolean inStorage(String text) throws Exception {
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
