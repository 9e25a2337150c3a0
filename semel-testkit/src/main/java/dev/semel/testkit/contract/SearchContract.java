package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Age;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.KeyMatch;
import dev.semel.reconcile.RecordSearch.Page;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Records as operators look for them. */
public interface SearchContract extends StoreVerbs {

    /** Longer than the coarsest clock of a store, so that claims have an order. */
    Duration MOMENT = Duration.ofSeconds(1);

    default Page search(Filter filter) {
        return ofTest(store().search(RecordSearch.newest(filter, 100)));
    }

    /** A page without the records that a store keeps for itself. */
    static Page ofTest(Page page) {
        List<StoredRecord> records = page.records().stream()
                .filter(record -> !record.identity().scope().value().startsWith("dev.semel"))
                .toList();
        return new Page(records, page.next(), page.examined(), page.complete(), page.plan());
    }

    default List<String> keys(Filter filter) {
        return keysOf(search(filter).records());
    }

    static List<String> keysOf(List<StoredRecord> records) {
        return records.stream().map(record -> record.identity().key().value()).toList();
    }

    static Filter states(State... states) {
        return Filter.ALL.withStates(Set.of(states));
    }

    static Filter key(@Nullable String scope, String text, boolean prefix) {
        return new Filter(
                scope == null ? null : new Scope(scope), null, Set.of(), null, new KeyMatch(text, prefix), Age.ANY);
    }

    default Lease claimed(Identity identity, String operation) {
        harness().elapse(MOMENT);
        return granted(new ClaimRequest(
                identity,
                operation,
                FINGERPRINT,
                LEASE,
                false,
                UUID.randomUUID().toString()));
    }

    default Lease claimed(String key) {
        return claimed(id(key), OPERATION);
    }

    @Test
    @DisplayName("a search finds records in every state, those claimed last first, and changes nothing")
    default void search_all_states() {
        settle(claimed("completed"), completed("done"));
        settle(claimed("failed"), notExecuted());
        settle(claimed("unknown"), StoreVerbs.unknown());
        claimed("live");
        Page page = changingNothing("completed", () -> search(Filter.ALL));
        assertThat(keysOf(page.records())).containsExactly("live", "unknown", "failed", "completed");
        assertThat(page.complete()).isTrue();
        assertThat(page.next()).isNull();
        assertThat(page.examined()).isBetween(4, 10);
        assertThat(page.plan()).isNotBlank();
        assertThat(keys(states(State.UNKNOWN))).containsExactly("unknown");
        assertThat(keys(states(State.IN_PROGRESS, State.COMPLETED))).containsExactly("live", "completed");
        assertThat(keys(states(State.FAILED_RETRYABLE))).containsExactly("failed");
    }

    @Test
    @DisplayName("a found record is the record, without response and steps")
    default void search_summary() {
        Lease lease = claimed("k");
        step(lease, "reserve", StoreVerbs.response("7"));
        settle(lease, StoreVerbs.unknown());
        settle(claimed("done"), completed("secret"));
        assertThat(search(Filter.ALL).records())
                .extracting(StoreVerbs::still)
                .containsExactly(
                        StoreVerbs.still(record("done")).summary(),
                        StoreVerbs.still(record("k")).summary());
    }

    @Test
    @DisplayName("a search can be narrowed to a scope, an operation, and dead letters")
    default void search_filters() {
        for (String scope : List.of("acme", "globex")) {
            for (String operation : List.of("payment", "refund")) {
                settle(claimed(Identity.of(scope, operation), operation), StoreVerbs.unknown());
            }
        }
        store().reschedule(
                        store().search(RecordSearch.newest(key("acme", "refund", false), 1))
                                .records()
                                .get(0)
                                .lease(),
                        new Reschedule.DeadLetter(0),
                        EVIDENCE);
        Filter scope = new Filter(new Scope("acme"), null, Set.of(), null, null, Age.ANY);
        assertThat(keys(scope)).containsExactly("refund", "payment");
        Filter operation = new Filter(null, "payment", Set.of(), null, null, Age.ANY);
        assertThat(search(operation).records())
                .extracting(record -> record.identity().scope().value())
                .containsExactly("globex", "acme");
        Filter dead = new Filter(null, null, Set.of(), true, null, Age.ANY);
        assertThat(search(dead).records()).extracting(StoredRecord::identity).containsExactly(id("refund"));
        Filter alive = new Filter(null, "refund", Set.of(State.UNKNOWN), false, null, Age.ANY);
        assertThat(search(alive).records())
                .extracting(StoredRecord::identity)
                .containsExactly(Identity.of("globex", "refund"));
    }

    @Test
    @DisplayName("a key is found exactly and by its start, in one scope and in all")
    default void search_keys() {
        settle(claimed("order-1"), completed("1"));
        settle(claimed("order-10"), completed("10"));
        settle(claimed("order_1"), completed("_"));
        settle(claimed("Order-1"), completed("O"));
        settle(claimed(Identity.of("globex", "order-1"), OPERATION), completed("g"));
        assertThat(keys(key("acme", "order-1", false))).containsExactly("order-1");
        assertThat(keys(key("acme", "order-1", true))).containsExactly("order-10", "order-1");
        assertThat(keys(key("acme", "order%", true))).isEmpty();
        assertThat(search(key(null, "order-1", false)).records())
                .extracting(StoredRecord::identity)
                .containsExactly(Identity.of("globex", "order-1"), id("order-1"));
        assertThat(keys(key(null, "order-", true))).containsExactly("order-1", "order-10", "order-1");
        assertThat(keys(key("initech", "order-1", false))).isEmpty();
    }

    @Test
    @DisplayName("the age is that of the last claim, by the store's clock")
    default void search_age() {
        settle(claimed("old"), completed("1"));
        harness().elapse(Duration.ofHours(2));
        settle(claimed("new"), completed("2"));
        Duration hour = Duration.ofHours(1);
        assertThat(keys(new Filter(null, null, Set.of(), null, null, new Age(hour, null))))
                .containsExactly("old");
        assertThat(keys(new Filter(null, null, Set.of(), null, null, new Age(null, hour))))
                .containsExactly("new");
        assertThat(keys(new Filter(null, null, Set.of(), null, null, new Age(hour, Duration.ofHours(3)))))
                .containsExactly("old");
        assertThat(keys(new Filter(null, null, Set.of(), null, null, new Age(Duration.ofHours(3), null))))
                .isEmpty();
    }

    @Test
    @DisplayName("a record past its retention is found as expired, before and after pruning marks it")
    default void search_expired() {
        settle(claimed("k"), completed("done"));
        expireRetention();
        assertThat(keys(states(State.COMPLETED))).isEmpty();
        assertThat(keys(states(State.EXPIRED))).containsExactly("k");
        prune(10, dev.semel.Retention.Expiry.MARK);
        assertThat(keys(states(State.EXPIRED))).containsExactly("k");
        prune(10, dev.semel.Retention.Expiry.DELETE);
        assertThat(keys(Filter.ALL)).isEmpty();
    }

    @Test
    @DisplayName("pages follow each other without gaps and repetitions, also while records are added and settled")
    default void search_pages() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            leases.add(claimed("k" + i));
        }
        settle(leases.get(3), StoreVerbs.unknown());
        settle(leases.get(5), completed("done"));
        List<String> seen = new ArrayList<>();
        RecordSearch search = RecordSearch.newest(Filter.ALL, 2);
        Page page = ofTest(store().search(search));
        claimed("later");
        while (page.next() != null) {
            seen.addAll(keysOf(page.records()));
            if (seen.size() == 2) {
                settle(leases.get(4), completed("meanwhile"));
            }
            page = ofTest(store().search(search.after(page.next())));
        }
        seen.addAll(keysOf(page.records()));
        assertThat(seen).containsExactly("k6", "k5", "k4", "k3", "k2", "k1", "k0");
    }

    @Test
    @DisplayName("oldest first is the same order the other way round")
    default void search_oldest() {
        for (int i = 0; i < 5; i++) {
            settle(claimed("k" + i), i == 2 ? completed("done") : StoreVerbs.unknown());
        }
        RecordSearch search = RecordSearch.oldest(states(State.UNKNOWN), 3);
        Page first = store().search(search);
        assertThat(keysOf(first.records())).containsExactly("k0", "k1", "k3");
        Page second = store().search(search.after(first.next()));
        assertThat(keysOf(second.records())).containsExactly("k4");
        assertThat(second.next()).isNull();
    }

    @Test
    @DisplayName("what is in progress comes in the order of its claims, swept and renewed or not, page by page")
    default void search_in_progress() {
        Duration shorter = LEASE.dividedBy(2);
        ClaimRequest taken = StoreVerbs.reexecutable("swept");
        granted(new ClaimRequest(
                taken.identity(), taken.operation(), taken.fingerprint(), shorter, true, taken.holder()));
        Lease renewed = claimed("renewed");
        claimed("live");
        harness().elapse(shorter);
        assertThat(sweep(10)).hasSize(1);
        renew(renewed);
        claimed("last");
        settle(claimed("done"), completed("done"));
        RecordSearch oldest = RecordSearch.oldest(states(State.IN_PROGRESS), 3);
        Page first = ofTest(store().search(oldest));
        assertThat(keysOf(first.records())).containsExactly("swept", "renewed", "live");
        assertThat(keysOf(ofTest(store().search(oldest.after(first.next()))).records()))
                .containsExactly("last");
        assertThat(keys(states(State.IN_PROGRESS))).containsExactly("last", "live", "renewed", "swept");
        assertThat(keys(Filter.ALL)).containsExactly("done", "last", "live", "renewed", "swept");
    }

    @Test
    @DisplayName("a limit beyond what one page may have is refused")
    default void search_limits() {
        assertThatThrownBy(() -> RecordSearch.newest(Filter.ALL, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordSearch.newest(Filter.ALL, RecordSearch.MAX_LIMIT + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
