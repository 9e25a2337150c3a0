package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What waits for evidence, as people see it. */
public interface UnknownListContract extends StoreVerbs {

    default List<StoredRecord> unknown(UnknownFilter filter, int limit) {
        return store().listUnknown(filter, limit);
    }

    /** Brings a record of this operation into the state where its outcome is unknown. */
    default Lease unknownOf(String operation, Identity identity) {
        Lease lease = granted(new ClaimRequest(
                identity,
                operation,
                FINGERPRINT,
                LEASE,
                false,
                UUID.randomUUID().toString()));
        settle(lease, StoreVerbs.unknown());
        return lease;
    }

    @Test
    @DisplayName("unknown records are listed as they are, and others are not")
    default void list_states() {
        granted("live");
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        reconcile(unknownLease("settled-on-evidence"), completed("found"));
        unknownLease("unknown");
        assertThat(unknown(UnknownFilter.ALL, 10))
                .extracting(StoreVerbs::still)
                .containsExactly(still(record("unknown")));
        expireLeases();
        assertThat(unknown(UnknownFilter.ALL, 10)).hasSize(1);
        sweep(10);
        assertThat(unknown(UnknownFilter.ALL, 10))
                .extracting(StoredRecord::identity)
                .containsExactly(id("live"), id("unknown"));
        expireRetention();
        assertThat(unknown(UnknownFilter.ALL, 10)).hasSize(2);
    }

    @Test
    @DisplayName("looking counts no try and changes nothing")
    default void list_changes_nothing() {
        unknownLease("k");
        changingNothing("k", () -> unknown(UnknownFilter.ALL, 10));
        assertThat(due(10)).hasSize(1);
        assertThat(unknown(UnknownFilter.ALL, 10)).hasSize(1);
    }

    @Test
    @DisplayName("the list can be narrowed to an operation, to dead letters, to the others, and to both")
    default void list_filters() {
        for (String operation : List.of("payment", "refund")) {
            unknownOf(operation, id(operation + "-open"));
            Lease dead = unknownOf(operation, id(operation + "-dead"));
            reschedule(dead, new Reschedule.DeadLetter(0));
        }
        assertListed(null, null, "payment-dead", "payment-open", "refund-dead", "refund-open");
        assertListed("payment", null, "payment-dead", "payment-open");
        assertListed(null, true, "payment-dead", "refund-dead");
        assertListed(null, false, "payment-open", "refund-open");
        assertListed("refund", true, "refund-dead");
        assertListed("refund", false, "refund-open");
        assertListed("REFUND", null);
        assertListed("%", null);
        reschedule(record("refund-dead").lease(), new Reschedule.Reset());
        assertListed("refund", true);
        assertListed("refund", false, "refund-dead", "refund-open");
    }

    private void assertListed(@Nullable String operation, @Nullable Boolean deadLettered, String... keys) {
        List<Identity> expected = new ArrayList<>();
        for (String key : keys) {
            expected.add(id(key));
        }
        UnknownFilter filter = new UnknownFilter(operation, deadLettered, null);
        assertThat(unknown(filter, 10))
                .as("%s", filter)
                .extracting(StoredRecord::identity)
                .isEqualTo(expected);
        assertThat(paged(filter, 1)).as("%s, page by page", filter).isEqualTo(expected);
    }

    @Test
    @DisplayName("the list is in the order of scopes, then keys, compared character by character")
    default void list_order() {
        List<String> values = List.of("-", "10", "9", "B", "Z", "_", "a", "a-b", "aB", "ab", "b", "\u00e9", "\u540d");
        List<Identity> expected = new ArrayList<>();
        for (String scope : List.of("Acme", "acme", "acme corp", "acmes")) {
            for (String key : values) {
                expected.add(Identity.of(scope, key));
            }
        }
        List<Identity> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled, new Random(1));
        shuffled.forEach(identity -> unknownOf(OPERATION, identity));
        assertThat(expected).isSorted();
        assertThat(unknown(UnknownFilter.ALL, 1000))
                .extracting(StoredRecord::identity)
                .isEqualTo(expected);
        assertThat(paged(UnknownFilter.ALL, 5)).isEqualTo(expected);
    }

    @Test
    @DisplayName("page after page shows every record once, whatever its identity")
    default void list_pages_of_hostile_identities() {
        Set<Identity> all = new HashSet<>();
        for (String scope : ValueContract.HOSTILE) {
            for (String key : ValueContract.HOSTILE) {
                all.add(unknownOf(OPERATION, Identity.of(scope, key)).identity());
            }
        }
        assertThat(new HashSet<>(paged(UnknownFilter.ALL, 13))).isEqualTo(all);
    }

    @Test
    @DisplayName("a page starts after the last one's end, also when what ended it is gone or never was")
    default void list_after() {
        for (String key : List.of("a", "b", "c", "d")) {
            unknownLease(key);
        }
        reconcile(record("b").lease(), completed("found"));
        assertThat(unknown(UnknownFilter.ALL.after(id("b")), 1))
                .extracting(StoredRecord::identity)
                .containsExactly(id("c"));
        assertThat(unknown(UnknownFilter.ALL.after(id("bb")), 10))
                .extracting(StoredRecord::identity)
                .containsExactly(id("c"), id("d"));
        assertThat(unknown(UnknownFilter.ALL.after(id("d")), 10)).isEmpty();
        assertThat(unknown(UnknownFilter.ALL.after(Identity.of("aaaa", "z")), 10))
                .hasSize(3);
        assertThat(unknown(UnknownFilter.ALL.after(Identity.of("zzzz", "a")), 10))
                .isEmpty();
        assertThat(unknown(UnknownFilter.ALL, 0)).isEmpty();
    }

    private List<Identity> paged(UnknownFilter filter, int size) {
        List<Identity> listed = new ArrayList<>();
        UnknownFilter page = filter;
        while (true) {
            List<StoredRecord> records = unknown(page, size);
            if (records.isEmpty()) {
                return listed;
            }
            assertThat(records).hasSizeLessThanOrEqualTo(size);
            records.forEach(record -> listed.add(record.identity()));
            assertThat(listed).doesNotHaveDuplicates();
            page = page.after(listed.get(listed.size() - 1));
        }
    }
}
