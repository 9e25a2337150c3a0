package dev.semel.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A record in memory")
class KeptTest {

    private static final Instant CLAIMED = Instant.parse("2026-11-18T10:00:00.000000001Z");
    private static final Instant COMPLETED = CLAIMED.plusMillis(5);
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Outcome PAID =
            new Outcome.Completed(Response.of("paid: 7 €".getBytes(StandardCharsets.UTF_8)));

    private static StoredRecord claimed(String holder) {
        ClaimRequest request = new ClaimRequest(
                Identity.of("acme", "key-1"),
                "create-payment",
                new Fingerprint("v1:00ff"),
                Duration.ofSeconds(30),
                true,
                holder,
                FirstUse.ANY_TIME);
        return Changes.granted(request, 17, CLAIMED);
    }

    private static Kept granted(StoredRecord record) {
        return Kept.after(null, null, record, new Note(Change.GRANTED, record.holder(), null));
    }

    private static Kept settled(Kept before, StoredRecord seen, StoredRecord written) {
        return Kept.after(before, seen, written, new Note(Change.SETTLED, seen.holder(), written.reason()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a1b2", "a1b2 POST /payments/ü", "a1b2 POST /payments\nan outline"})
    void completed_by_its_first_attempt_reads_as_it_was_written(String holder) {
        StoredRecord claimed = claimed(holder);
        StoredRecord seen = Changes.asOf(claimed, COMPLETED);
        StoredRecord written = Changes.settled(seen, PAID, RETENTION);
        String who = StoredRecord.Holder.withoutOutline(holder);

        Kept kept = settled(granted(claimed), seen, written);

        assertThat(kept).isInstanceOf(Kept.Packed.class);
        assertThat(kept.identity()).isEqualTo(written.identity());
        assertThat(kept.record()).isEqualTo(written);
        assertThat(kept.history())
                .containsExactly(
                        new AuditEntry(
                                claimed.identity(), 1, CLAIMED, Change.GRANTED, 17, null, State.IN_PROGRESS, who, null),
                        new AuditEntry(
                                claimed.identity(),
                                2,
                                COMPLETED,
                                Change.SETTLED,
                                17,
                                State.IN_PROGRESS,
                                State.COMPLETED,
                                who,
                                null));
    }

    @Test
    void completed_otherwise_reads_as_it_was_written_too() {
        StoredRecord claimed = claimed("a1b2");
        StoredRecord stepped = Changes.stepped(claimed, "charge", Response.of(new byte[] {1}));
        Kept afterStep = Kept.after(granted(claimed), claimed, stepped, new Note(Change.STEP, "a1b2", "charge"));
        StoredRecord seen = Changes.asOf(stepped, COMPLETED);
        StoredRecord written = Changes.settled(seen, PAID, RETENTION);

        Kept kept = settled(afterStep, seen, written);

        assertThat(kept.record()).isEqualTo(written);
        assertThat(kept.record().steps()).isEqualTo(Steps.NONE);
        assertThat(kept.history())
                .extracting(AuditEntry::change)
                .containsExactly(Change.GRANTED, Change.STEP, Change.SETTLED);
    }

    @Test
    void goes_on_after_its_completion() {
        StoredRecord claimed = claimed("a1b2");
        StoredRecord seen = Changes.asOf(claimed, COMPLETED);
        Kept completed = settled(granted(claimed), seen, Changes.settled(seen, PAID, RETENTION));
        StoredRecord record = completed.record();

        Kept viewed = Kept.after(completed, record, record, new Note(Change.VIEWED, "anna", "a complaint"));

        assertThat(viewed.record()).isEqualTo(record);
        assertThat(viewed.history())
                .hasSize(3)
                .startsWith(completed.history().toArray(AuditEntry[]::new))
                .last()
                .extracting(AuditEntry::number, AuditEntry::change, AuditEntry::who)
                .isEqualTo(List.of(3L, Change.VIEWED, "anna"));
    }
}
