package dev.semel.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.AuditEntry.Note;
import dev.semel.spi.Change;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a record in memory that its first attempt has completed")
class CompletedAtOnceTest {

    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.123456789Z");
    private static final Outcome COMPLETED = new Outcome.Completed(Response.of(new byte[] {1, 2, 3}));
    private static final ClaimRequest CLAIM = new ClaimRequest(
            Identity.of("acme", "order-42"),
            "order",
            new Fingerprint("v1:abc"),
            Duration.ofSeconds(30),
            true,
            "holder");

    private static StoredRecord granted(Instant at) {
        return Changes.granted(CLAIM, 7, at);
    }

    private static Kept keptAtClaim(StoredRecord granted) {
        return Kept.after(null, null, granted, new Note(Change.GRANTED, granted.holder(), null));
    }

    private static StoredRecord later(Kept kept, Duration by) {
        return Changes.asOf(kept.record(), kept.record().times().asOf().plus(by));
    }

    private static Kept settled(Kept before, Outcome outcome) {
        StoredRecord seen = later(before, Duration.ofMillis(5));
        StoredRecord after = Changes.settled(seen, outcome, Duration.ofDays(1));
        return Kept.after(before, seen, after, new Note(Change.SETTLED, after.holder(), after.reason()));
    }

    @Test
    void reads_as_it_was_written() {
        Kept claimed = keptAtClaim(granted(NOW));
        StoredRecord seen = later(claimed, Duration.ofMillis(5));
        StoredRecord written = Changes.settled(seen, COMPLETED, Duration.ofDays(1));
        Note note = new Note(Change.SETTLED, "holder", null);
        Kept kept = Kept.after(claimed, seen, written, note);
        assertThat(kept).isInstanceOf(CompletedAtOnce.class);
        assertThat(kept.record()).isEqualTo(written);
        assertThat(kept.history())
                .isEqualTo(List.of(
                        AuditEntry.of(1, null, granted(NOW), new Note(Change.GRANTED, "holder", null)),
                        AuditEntry.of(2, seen, written, note)));
    }

    @Test
    void goes_on_with_its_history() {
        Kept kept = settled(keptAtClaim(granted(NOW)), COMPLETED);
        StoredRecord over = later(kept, Duration.ofDays(2));
        Kept marked = Kept.after(
                kept, kept.record(), Changes.markedExpired(over), new Note(Change.EXPIRED, AuditEntry.PRUNING, null));
        assertThat(marked.history())
                .extracting(AuditEntry::change)
                .containsExactly(Change.GRANTED, Change.SETTLED, Change.EXPIRED);
    }

    @Test
    void is_kept_in_full_after_any_other_life() {
        Kept failed = settled(keptAtClaim(granted(NOW)), new Outcome.NotExecuted("refused"));
        assertThat(failed).isInstanceOf(Kept.Full.class);
        StoredRecord again = Changes.grantedAgain(later(failed, Duration.ofSeconds(1)), CLAIM, 8);
        Kept retried = Kept.after(failed, failed.record(), again, new Note(Change.GRANTED, "holder", null));
        Kept completed = settled(retried, COMPLETED);
        assertThat(completed).isInstanceOf(Kept.Full.class);
        assertThat(completed.record().attempts()).isEqualTo(2);
        Kept unknown = settled(keptAtClaim(granted(NOW)), new Outcome.Unknown("timeout"));
        assertThat(settled(unknown, COMPLETED).record().evidence()).isNotNull();
    }

    @Test
    void is_kept_in_full_where_the_clock_counts_centuries() {
        Kept kept = settled(keptAtClaim(granted(Instant.parse("9999-01-01T00:00:00Z"))), COMPLETED);
        assertThat(kept).isInstanceOf(Kept.Full.class);
        assertThat(kept.history()).hasSize(2);
    }
}
