package dev.semel.redis.tiered;

import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.testkit.contract.StoreVerbs;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Copies as bytes")
class CopySealTest {

    private static final Instant THEN = Instant.parse("2030-01-01T12:00:00.123456789Z");

    private final CopySeal seal = new CopySeal(new byte[TierSecret.BYTES]);

    private static StoredRecord record(@Nullable Evidence evidence, @Nullable Instant doubtSince) {
        return new StoredRecord(
                id("k"),
                "créer-paiement",
                new Fingerprint("v1.key:meant"),
                State.COMPLETED,
                Long.MAX_VALUE,
                7,
                true,
                "holder",
                new StoredRecord.Times(
                        THEN.plusSeconds(2),
                        THEN,
                        THEN.plusSeconds(2),
                        THEN.plusSeconds(1),
                        doubtSince,
                        null,
                        THEN.plusSeconds(3)),
                StoreVerbs.response("charged"),
                evidence == null ? null : "",
                evidence,
                Steps.NONE,
                null);
    }

    private byte[] sealed(StoredRecord record) {
        return seal.sealed(record.identity(), CopyFormat.bytes(record));
    }

    private @Nullable StoredRecord opened(Identity identity, byte[] bytes) {
        ByteBuffer content = seal.opened(identity, bytes);
        return content == null ? null : CopyFormat.record(identity, content);
    }

    @Test
    @DisplayName("contain every field of a completed record")
    void whole() {
        StoredRecord plain = record(null, null);
        assertThat(opened(plain.identity(), sealed(plain))).isEqualTo(plain);
        StoredRecord full = record(new Evidence("provider", ""), THEN.minusNanos(1));
        assertThat(opened(full.identity(), sealed(full))).isEqualTo(full);
    }

    @Test
    @DisplayName("are rejected when a bit is changed, when they are truncated, or when a byte is added")
    void damaged() {
        byte[] copy = sealed(record(null, null));
        for (int i = 0; i < copy.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = copy.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(opened(id("k"), changed)).isNull();
            }
            assertThat(opened(id("k"), Arrays.copyOf(copy, i))).isNull();
        }
        assertThat(opened(id("k"), Arrays.copyOf(copy, copy.length + 1))).isNull();
    }

    @Test
    @DisplayName("are rejected for another record, also where scope and key concatenate alike")
    void moved() {
        byte[] copy = sealed(record(null, null));
        assertThat(opened(id("k2"), copy)).isNull();
        assertThat(opened(Identity.of("acm", "ek"), copy)).isNull();
        assertThat(opened(Identity.of("acme k", "k"), copy)).isNull();
    }

    @Test
    @DisplayName("are rejected with another secret")
    void forged() {
        byte[] other = new byte[TierSecret.BYTES];
        other[31] = 1;
        StoredRecord record = record(null, null);
        byte[] forged = new CopySeal(other).sealed(record.identity(), CopyFormat.bytes(record));
        assertThat(opened(id("k"), forged)).isNull();
    }
}
