package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.InvalidKeyException;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Scope;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store must hold and give back unchanged. */
public interface ValueContract extends StoreVerbs {

    /** Strings that have been the end of other software, each different from the others. */
    List<String> HOSTILE = List.of(
            "plain",
            "PLAIN",
            "plain ",
            " plain",
            "'; DROP TABLE semel_record; --",
            "\"quoted\"",
            "back\\slash",
            "100%_like",
            "$1 ? :named {ts}",
            "caf\u00e9",
            "cafe\u0301",
            "\u540d\u524d",
            "\ud83d\udcb8",
            "\u202eright-to-left",
            "\uffff",
            "k".repeat(255),
            "k".repeat(254) + "j",
            "\u540d".repeat(255));

    @Test
    @DisplayName("hostile keys and scopes are stored as they are, each on its own")
    default void values_hostile_identities() {
        for (String scope : HOSTILE) {
            for (String key : HOSTILE) {
                Lease lease = granted(request(Identity.of(scope, key)));
                settle(lease, new Outcome.Completed(StoreVerbs.response(scope + "|" + key)));
            }
        }
        for (String scope : HOSTILE) {
            for (String key : HOSTILE) {
                StoredRecord record =
                        StoreVerbs.await(store().find(Identity.of(scope, key))).orElseThrow();
                assertThat(record.identity()).isEqualTo(Identity.of(scope, key));
                assertThat(record.response()).isEqualTo(StoreVerbs.response(scope + "|" + key));
            }
        }
    }

    @Test
    @DisplayName(
            "what no store could hold is refused before it reaches one: NUL, controls, lone surrogates, 256 characters")
    default void values_refused_identities() {
        for (String bad : List.of("", "nul\0", "line\nfeed", "\u0085", "\ud800", "a\udc00b", "k".repeat(256))) {
            assertThatThrownBy(() -> new Key(bad)).isInstanceOf(InvalidKeyException.class);
            assertThatThrownBy(() -> new Scope(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("responses come back byte for byte: none, one, all values, and a mebibyte")
    default void values_responses() {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        byte[] mebibyte = new byte[1024 * 1024];
        new Random(1).nextBytes(mebibyte);
        for (byte[] bytes : List.of(new byte[0], new byte[1], everyByte, mebibyte)) {
            Identity identity = Identity.of("acme", "bytes-" + bytes.length);
            Lease lease = granted(request(identity));
            assertThat(settle(lease, new Outcome.Completed(Response.of(bytes))))
                    .isInstanceOf(SettleAnswer.Settled.class);
            ClaimAnswer answer = claim(request(identity));
            assertThat(answer).isInstanceOf(ClaimAnswer.Recorded.class);
            assertThat(((ClaimAnswer.Recorded) answer).record().response()).isEqualTo(Response.of(bytes));
        }
    }

    @Test
    @DisplayName("reasons and evidence come back as they were given")
    default void values_reason_and_evidence() {
        Lease lease = granted("k");
        settle(lease, new Outcome.Unknown("read timed out; it's \u00fcber-late"));
        assertThat(record("k").reason()).isEqualTo("read timed out; it's \u00fcber-late");
        Evidence evidence = new Evidence("person:al\u00efce", "ticket '42' \ud83d\udcb8 " + "x".repeat(900));
        StoreVerbs.await(store().reconcile(lease, StoreVerbs.completed("done"), evidence, RETENTION));
        assertThat(record("k").evidence()).isEqualTo(evidence);
    }
}
