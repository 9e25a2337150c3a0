package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.Step;
import dev.semel.StoreException;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.Verdict;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a recorded response")
class RecordedResponseTest extends EngineFixture {

    private static final EncryptionKeys OLD = EncryptionKeys.current("2029", key(1));
    private static final EncryptionKeys ROTATED =
            EncryptionKeys.current("2030", key(2)).older("2029", key(1));

    private static byte[] key(int seed) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) seed);
        return key;
    }

    private SemelEngine encrypting(EncryptionKeys keys) {
        return SemelEngine.on(memory).timer(time).encryption(keys).build();
    }

    private Execution<String> execute(SemelEngine engine, String answer) {
        return engine.execute(intent(CHARGE), Codec.text(), attempt -> answer);
    }

    private String stored() {
        Response response = onRecord().response();
        return new String(response == null ? new byte[0] : response.bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void says_which_format_it_has() {
        execute(CHARGE);
        assertThat(stored()).startsWith("\u0001\u0000").endsWith("charged 1");
    }

    @Test
    void is_compressed_when_it_is_large_and_gains_by_it() {
        String large = "{\"amount\": 100}".repeat(1000);
        execute(semel, large);
        assertThat(stored()).hasSizeLessThan(1000);
        assertThat(execute(semel, "")).isEqualTo(new Execution.Replayed<>(large));
    }

    @Test
    void is_encrypted_where_a_key_is_configured_and_survives_the_rotation_of_keys() {
        execute(encrypting(OLD), "secret receipt");
        assertThat(stored()).doesNotContain("secret").doesNotContain("receipt");
        assertThat(execute(encrypting(OLD), "")).isEqualTo(new Execution.Replayed<>("secret receipt"));
        assertThat(execute(encrypting(ROTATED), "")).isEqualTo(new Execution.Replayed<>("secret receipt"));
    }

    @Test
    void is_not_given_out_without_its_key_and_nothing_executes_instead() {
        execute(encrypting(OLD), "secret receipt");
        assertThatThrownBy(() -> execute(CHARGE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no encryption key is configured");
        assertThatThrownBy(() -> execute(encrypting(EncryptionKeys.current("2030", key(2))), ""))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("'2029'")
                .hasMessageContaining("older key");
        assertThatThrownBy(() -> execute(encrypting(EncryptionKeys.current("2029", key(9))), ""))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not decrypt");
        assertThat(executions).isZero();
    }

    @Test
    void of_a_step_or_of_evidence_is_encrypted_as_well() {
        assertThatThrownBy(() -> encrypting(OLD).execute(intent(CHARGE), Codec.text(), attempt -> {
                    attempt.step(Step.named("charge"), Codec.text(), key -> "secret charge");
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(new String(onRecord().steps().bytes(), StandardCharsets.ISO_8859_1))
                .contains("charge")
                .doesNotContain("secret");
        UnknownOutcomes unknowns = encrypting(ROTATED).unknownOutcomes();
        assertThat(unknowns.recordedStep(onRecord(), "charge"))
                .contains(Response.of("secret charge".getBytes(StandardCharsets.UTF_8)));
        Verdict.Final happened =
                new Verdict.Happened(Response.of("secret receipt".getBytes(StandardCharsets.UTF_8)), "statement");
        encrypting(ROTATED).settle(CHARGE, ID, happened, "person:alice");
        assertThat(stored()).isNotEmpty().doesNotContain("secret").doesNotContain("receipt");
        assertThat(execute(encrypting(ROTATED), "")).isEqualTo(new Execution.Replayed<>("secret receipt"));
    }

    @Test
    void of_a_step_without_its_key_is_neither_replayed_nor_run_again() {
        Operation again = CHARGE.reexecutableAfterCrash();
        assertThatThrownBy(() -> encrypting(OLD).execute(intent(again), Codec.text(), attempt -> {
                    attempt.step(Step.named("charge"), Codec.text(), key -> "charged");
                    throw new NotExecutedException("warehouse closed");
                }))
                .isInstanceOf(NotExecutedException.class);
        assertThatThrownBy(() -> execute(
                        again,
                        attempt -> attempt.step(Step.named("charge"), Codec.text(), key -> {
                            throw new AssertionError("charged twice");
                        })))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasRootCauseMessage("the response of " + ID + " is encrypted, and no encryption key is configured");
        assertThat(onRecord().state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void cannot_be_moved_to_another_record() {
        execute(encrypting(OLD), "secret receipt");
        Response moved = onRecord().response();
        assertThat(moved).isNotNull();
        plant(Identity.of("globex", "k"), moved);
        Intent globex = Intent.of(
                CHARGE, new dev.semel.Scope("globex"), ID.key(), intent(CHARGE).fingerprint());
        assertThatThrownBy(() -> encrypting(OLD).execute(globex, Codec.text(), attempt -> ""))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not decrypt");
    }

    @Test
    void that_is_damaged_is_a_fault_and_not_an_execution() {
        for (byte[] damaged : new byte[][] {
            {},
            {1},
            {9, 0, 1},
            {1, 2, 0, 0},
            {1, 2, 127, 0, 0, 0, 1},
            {1, 2, -1, 0, 0, 0},
            {1, 8, 1, 'x', 'y'},
            {1, 16, 'y'},
            {2, 0, 'y'},
            {2, 8},
            {2, 8, 5, 'a', 'b'},
            {2, 8, -1, 'a'}
        }) {
            RecordedResponseTest fresh = new RecordedResponseTest();
            fresh.plant(ID, Response.of(damaged));
            assertThatThrownBy(() -> fresh.execute(CHARGE)).isInstanceOf(StoreException.class);
            assertThat(fresh.executions).isZero();
        }
    }

    private void plant(Identity identity, Response response) {
        ClaimRequest request =
                new ClaimRequest(identity, "charge", intent(CHARGE).fingerprint(), LEASE, false, "holder");
        ClaimAnswer.Granted granted = (ClaimAnswer.Granted)
                memory.claim(request).toCompletableFuture().join();
        memory.settle(granted.lease(), new Outcome.Completed(response), Duration.ofHours(1));
    }

    @Test
    void needs_keys_that_are_keys() {
        assertThatThrownBy(() -> EncryptionKeys.current("k", new byte[5])).hasMessageContaining("16, 24 or 32");
        assertThatThrownBy(() -> EncryptionKeys.current("not an id", key(1))).hasMessageContaining("id");
        assertThatThrownBy(() -> OLD.older("2029", key(3))).hasMessageContaining("two encryption keys");
    }
}
