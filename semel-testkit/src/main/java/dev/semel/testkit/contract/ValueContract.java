package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.InvalidKeyException;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
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
        store().reconcile(lease, StoreVerbs.completed("done"), evidence, RETENTION);
        assertThat(record("k").evidence()).isEqualTo(evidence);
    }

    @Test
    @DisplayName("evidence of a search and names of steps are in the history as they were given")
    default void values_in_the_history() {
        Lease lease = granted("k");
        for (String name : HOSTILE) {
            step(lease, name, StoreVerbs.response(name));
        }
        settle(lease, StoreVerbs.unknown());
        List<String> expected = new ArrayList<>(HOSTILE);
        for (String text : HOSTILE) {
            Evidence evidence = new Evidence("person:" + text, text);
            assertThat(store().reschedule(lease, new Reschedule.Reset(), evidence))
                    .isInstanceOf(SettleAnswer.Settled.class);
            expected.add(text);
        }
        Evidence longest = new Evidence("\u540d".repeat(Evidence.MAX_LENGTH), "\n\t" + "\ud83d\udcb8".repeat(499));
        store().reconcile(lease, StoreVerbs.completed("done"), longest, RETENTION);
        expected.add(longest.detail());
        List<AuditEntry> history = history("k");
        assertThat(history)
                .filteredOn(entry -> entry.change() != Change.GRANTED && entry.change() != Change.SETTLED)
                .extracting(AuditEntry::why)
                .isEqualTo(expected);
        assertThat(history)
                .filteredOn(entry -> entry.change() == Change.REQUEUED)
                .extracting(AuditEntry::who)
                .isEqualTo(HOSTILE.stream().map(text -> "person:" + text).toList());
        assertThat(history.get(history.size() - 1).who()).isEqualTo(longest.source());
        Evidence silent = new Evidence("person:alice", "");
        Lease other = unknownLease("other");
        store().reschedule(other, new Reschedule.Reset(), silent);
        assertThat(history("other")).last().extracting(AuditEntry::why).isEqualTo("");
    }

    @Test
    @DisplayName("operations with hostile names are searched for and listed each on its own")
    default void values_hostile_operations() {
        for (String operation : HOSTILE) {
            Identity identity = Identity.of("acme", "of " + operation.hashCode());
            Lease lease = granted(new ClaimRequest(identity, operation, FINGERPRINT, LEASE, false, operation));
            settle(lease, StoreVerbs.unknown());
        }
        for (String operation : HOSTILE) {
            Identity identity = Identity.of("acme", "of " + operation.hashCode());
            assertThat(store().listUnknown(new UnknownFilter(operation, null, null), 100))
                    .extracting(StoredRecord::identity)
                    .containsExactly(identity);
            List<StoredRecord> taken = store().due(operation, 100, HOLD);
            assertThat(taken).extracting(StoredRecord::identity).containsExactly(identity);
            assertThat(taken).extracting(StoredRecord::operation).containsExactly(operation);
            assertThat(taken).extracting(StoredRecord::holder).containsExactly(operation);
        }
    }

    @Test
    @DisplayName("a limit of nothing takes nothing, the highest takes all, and a negative one is refused")
    default void values_limits() {
        settle(granted("expired"), StoreVerbs.completed("done"));
        unknownLease("unknown");
        expireRetention();
        granted("crashed");
        expireLeases();
        Map<String, IntFunction<Object>> verbs = Map.of(
                "sweep", limit -> store().sweep(limit),
                "due", limit -> store().due(OPERATION, limit, HOLD),
                "unknown", limit -> store().listUnknown(UnknownFilter.ALL, limit),
                "mark", limit -> store().prune(limit, Expiry.MARK),
                "delete", limit -> store().prune(limit, Expiry.DELETE));
        verbs.forEach((name, verb) -> {
            for (int negative : new int[] {-1, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> verb.apply(negative)).as(name).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(verb.apply(0)).as(name).isIn(0, List.of());
        });
        assertThat(record("crashed").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(history("expired")).hasSize(2);
        assertThat(due(Integer.MAX_VALUE)).hasSize(1);
        assertThat(sweep(Integer.MAX_VALUE)).hasSize(1);
        assertThat(store().listUnknown(UnknownFilter.ALL, Integer.MAX_VALUE)).hasSize(2);
        assertThat(prune(Integer.MAX_VALUE, Expiry.MARK)).isEqualTo(1);
        assertThat(prune(Integer.MAX_VALUE, Expiry.DELETE)).isEqualTo(1);
    }

    @Test
    @DisplayName("no delay is now, and a delay of a century is a century")
    default void values_delays() {
        Lease lease = unknownLease("k");
        assertThat(store().due(OPERATION, 10, Duration.ZERO)).hasSize(1);
        assertThat(store().due(OPERATION, 10, Duration.ZERO)).hasSize(1);
        Duration century = Duration.ofDays(36_525);
        reschedule(lease, new Reschedule.RetryAfter(2, century));
        StoredRecord record = record("k");
        StoredRecord.Reconciling reconciling = Objects.requireNonNull(record.reconciling());
        assertThat(reconciling.nextTryAt()).isEqualTo(record.times().updatedAt().plus(century));
        reschedule(lease, new Reschedule.RetryAfter(2, Duration.ZERO));
        assertThat(store().due(OPERATION, 10, century)).hasSize(1);
        assertThat(due(10)).isEmpty();
    }
}
