package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.State;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Records with hashed keys, on the command line,")
class HashedKeysTest {

    private static final String SECRET =
            Base64.getEncoder().encodeToString("x".repeat(32).getBytes());
    private static final Identity ID = Identity.of("acme", "jane@example.com");

    @TempDir
    Path directory;

    private SemelEngine semel;
    private String stored;

    @BeforeEach
    void becomeUnknown() throws IOException {
        Files.writeString(directory.resolve("secret"), SECRET + "\n");
        semel = SemelEngine.on(Stores.open(uri())).hashedKeys(SECRET).build();
        stored = semel.stored(ID).key().value();
        Intent intent = Intent.of(Operation.named("charge"), ID.scope(), ID.key(), new Fingerprint("v1:0"));
        assertThatThrownBy(() -> semel.execute(intent, Codec.text(), attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @AfterEach
    void close() {
        semel.close();
    }

    private String uri() {
        return "sqlite:" + directory.resolve("semel.db");
    }

    private String secretFile() {
        return directory.resolve("secret").toString();
    }

    private Invocation run(String line) {
        return Invocation.of((line + " --store " + uri()).split(" +"));
    }

    private State state() {
        return semel.find(ID).orElseThrow().state();
    }

    @Test
    void are_listed_with_their_stored_keys() {
        Invocation listed = run("unknown list");

        assertThat(listed.status()).isZero();
        assertThat(listed.out()).contains(stored).doesNotContain("jane");
    }

    @Test
    void are_found_by_a_typed_key_with_the_secret() {
        Invocation shown = run("keys show acme jane@example.com --keys-secret-file " + secretFile());
        assertThat(shown.err()).isEmpty();
        assertThat(shown.out()).contains("charge", "unknown");

        assertThat(run("unknown show acme jane@example.com --keys-secret-file " + secretFile())
                        .out())
                .contains("unknown resolve", stored);
        assertThat(run("unknown requeue acme jane@example.com --reason r --keys-secret-file " + secretFile())
                        .status())
                .isZero();
        assertThat(run("unknown resolve acme jane@example.com --not-executed --reason r --keys-secret-file "
                                + secretFile())
                        .status())
                .isZero();
        assertThat(state()).isEqualTo(State.FAILED_RETRYABLE);
    }

    @Test
    void are_settled_by_the_listed_key_without_the_secret() {
        assertThat(run("unknown show acme " + stored).status()).isZero();
        assertThat(run("unknown resolve acme " + stored + " --not-executed --reason r")
                        .status())
                .isZero();
        assertThat(state()).isEqualTo(State.FAILED_RETRYABLE);
    }

    @Test
    void are_not_found_by_a_typed_key_without_the_secret() {
        Invocation shown = run("keys show acme jane@example.com");

        assertThat(shown.status()).isNotZero();
        assertThat(shown.err()).contains("the keys in this store are hashed: give its secret");
    }

    @Test
    void are_not_searched_with_an_invalid_secret() throws IOException {
        Files.writeString(directory.resolve("secret"), "c2hvcnQ=");
        assertThat(run("keys show acme k --keys-secret-file " + secretFile()).err())
                .contains("--keys-secret-file: the secret for hashed keys has 5 bytes, at least 32 are needed");
        Files.writeString(directory.resolve("secret"), "not base64!");
        assertThat(run("keys show acme k --keys-secret-file " + secretFile()).err())
                .contains("not base64")
                .doesNotContain("base64!");
        assertThat(run("keys show acme k --keys-secret-file " + directory.resolve("none"))
                        .err())
                .contains("--keys-secret-file: cannot be read");
        Files.writeString(
                directory.resolve("secret"),
                Base64.getEncoder().encodeToString("y".repeat(32).getBytes()));
        assertThat(run("keys show acme k --keys-secret-file " + secretFile()).err())
                .contains("hashed with another secret");
    }
}
