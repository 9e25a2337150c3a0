package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static dev.semel.testkit.contract.StoreVerbs.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import dev.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * All verbs in random order on a few keys, asked of the store under test and of a memory store alike.
 *
 * <p>After each step, both have answered the same, both hold the same records, and the history describes the record. Time
 * moves in hours, so that what a test takes to run is no time at all.
 */
final class RandomWalk {

    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final List<String> OPERATIONS = List.of("payment", "refund");
    private static final Duration LEASE = Duration.ofHours(10);
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration HOLD = Duration.ofHours(2);
    private static final int ALL = 100;

    /** The same lease on both sides. */
    private record Leases(Lease real, Lease model) {}

    private final StoreVerbs verbs;
    private final Random random;
    private final ManualTime time = new ManualTime();
    private final MemoryStore model = new MemoryStore(time);
    private final Lens realLens;
    private final Lens modelLens = new Lens(time.instant());
    private final Map<String, List<Leases>> leases = new HashMap<>();
    private final Map<String, ClaimRequest> lastRequests = new HashMap<>();
    private final Set<Replay.Hop> hops = new HashSet<>();
    private int holders;

    RandomWalk(StoreVerbs verbs, long seed) {
        this.verbs = verbs;
        this.random = new Random(seed);
        Lease origin = verbs.granted(StoreVerbs.request(Identity.of("origin", "of " + seed)));
        verbs.settle(origin, completed("kept"), Duration.ofDays(10_000));
        StoredRecord beginning = await(verbs.store().find(origin.identity())).orElseThrow();
        this.realLens = new Lens(beginning.times().createdAt());
        KEYS.forEach(key -> leases.put(key, new ArrayList<>()));
    }

    /** The hops that were seen on the way. */
    Set<Replay.Hop> hops() {
        return hops;
    }

    void walk(int steps, String description) {
        for (int i = 0; i < steps; i++) {
            String key = one(KEYS);
            int action = random.nextInt(19);
            String what = description + ", step " + i + ", action " + action + " on " + key;
            act(action, key, what);
            for (String each : action < 10 || action > 16 ? List.of(key) : KEYS) {
                compare(each, what);
            }
        }
    }

    private void act(int action, String key, String what) {
        switch (action) {
            case 0, 1, 2 -> claim(key, what);
            case 3, 4 -> settle(key, what);
            case 5 -> renew(key, what);
            case 6 -> step(key, what);
            case 7 -> reconcile(key, what);
            case 8, 9 -> reschedule(key, what);
            case 10 -> sweep(what);
            case 11 -> due(what);
            case 12 -> list(what);
            case 13 -> prune(what);
            case 14, 15 -> elapse();
            case 16 -> search(what);
            case 17 -> annotate(key, what);
            default -> forget(key, what);
        }
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    /** The last lease of a key, sometimes an older one; one that never was when there is none. */
    private Leases lease(String key) {
        List<Leases> ofKey = leases.get(key);
        if (ofKey == null || ofKey.isEmpty()) {
            Lease never = new Lease(id(key), 0);
            return new Leases(never, never);
        }
        return once(5) ? one(ofKey) : ofKey.get(ofKey.size() - 1);
    }

    private Outcome outcome() {
        return one(List.of(completed("done " + random.nextInt(9)), notExecuted(), unknown()));
    }

    private void claim(String key, String what) {
        ClaimRequest last = lastRequests.get(key);
        ClaimRequest request = last != null && once(5)
                ? last
                : new ClaimRequest(
                        id(key),
                        one(OPERATIONS),
                        once(8) ? StoreVerbs.OTHER_FINGERPRINT : StoreVerbs.FINGERPRINT,
                        LEASE,
                        !once(3),
                        "holder-" + holders++);
        lastRequests.put(key, request);
        ClaimAnswer real = verbs.claim(request);
        ClaimAnswer expected = await(model.claim(request));
        if (real instanceof ClaimAnswer.Granted granted && expected instanceof ClaimAnswer.Granted twin) {
            realLens.granted(granted.lease());
            modelLens.granted(twin.lease());
            leases.computeIfAbsent(key, k -> new ArrayList<>()).add(new Leases(granted.lease(), twin.lease()));
        }
        assertThat(realLens.at(real)).as(what).isEqualTo(modelLens.at(expected));
    }

    private void settle(String key, String what) {
        Leases lease = lease(key);
        Outcome outcome = outcome();
        assertThat(realLens.at(await(verbs.store().settle(lease.real(), outcome, RETENTION))))
                .as(what)
                .isEqualTo(modelLens.at(await(model.settle(lease.model(), outcome, RETENTION))));
    }

    private void renew(String key, String what) {
        Leases lease = lease(key);
        assertThat(await(verbs.store().renew(lease.real(), LEASE)))
                .as(what)
                .isEqualTo(await(model.renew(lease.model(), LEASE)));
    }

    private void step(String key, String what) {
        Leases lease = lease(key);
        String name = "step-" + random.nextInt(3);
        assertThat(verbs.step(lease.real(), name, response(name)))
                .as(what)
                .isEqualTo(await(model.step(lease.model(), name, response(name))));
    }

    private void reconcile(String key, String what) {
        Leases lease = lease(key);
        Outcome outcome = outcome();
        assertThat(realLens.at(verbs.store().reconcile(lease.real(), outcome, StoreVerbs.EVIDENCE, RETENTION)))
                .as(what)
                .isEqualTo(modelLens.at(model.reconcile(lease.model(), outcome, StoreVerbs.EVIDENCE, RETENTION)));
    }

    private void reschedule(String key, String what) {
        Leases lease = lease(key);
        int tries = await(model.find(id(key)))
                .map(StoredRecord::reconciling)
                .map(StoredRecord.Reconciling::tries)
                .filter(counted -> !once(5))
                .orElseGet(() -> random.nextInt(3));
        Reschedule reschedule = one(List.of(
                new Reschedule.RetryAfter(tries, Duration.ofHours(1L + random.nextInt(4))),
                new Reschedule.DeadLetter(tries),
                new Reschedule.Reset()));
        assertThat(realLens.at(verbs.store().reschedule(lease.real(), reschedule, StoreVerbs.EVIDENCE)))
                .as(what)
                .isEqualTo(modelLens.at(model.reschedule(lease.model(), reschedule, StoreVerbs.EVIDENCE)));
    }

    private void sweep(String what) {
        assertThat(unordered(realLens, verbs.store().sweep(ALL)))
                .as(what)
                .isEqualTo(unordered(modelLens, model.sweep(ALL)));
    }

    private void due(String what) {
        String operation = one(OPERATIONS);
        assertThat(unordered(realLens, verbs.store().due(operation, ALL, HOLD)))
                .as(what)
                .isEqualTo(unordered(modelLens, model.due(operation, ALL, HOLD)));
    }

    private void list(String what) {
        UnknownFilter filter = new UnknownFilter(
                once(2) ? null : one(OPERATIONS), once(2) ? null : once(2), once(2) ? null : id(one(KEYS)));
        int limit = random.nextInt(KEYS.size() + 1);
        assertThat(verbs.store().listUnknown(filter, limit).stream()
                        .map(realLens::at)
                        .toList())
                .as(what)
                .isEqualTo(model.listUnknown(filter, limit).stream()
                        .map(modelLens::at)
                        .toList());
    }

    /** Records that are claimed at the same hour have no order that both stores share. */
    private void search(String what) {
        RecordSearch.Filter filter = new RecordSearch.Filter(
                new Scope("acme"),
                once(2) ? null : one(OPERATIONS),
                once(2) ? Set.of() : Set.of(one(List.of(State.values()))),
                once(3) ? Boolean.valueOf(once(2)) : null,
                once(2) ? null : new RecordSearch.KeyMatch(one(KEYS), once(2)),
                RecordSearch.Age.ANY);
        RecordSearch search = RecordSearch.newest(filter, ALL);
        assertThat(found(realLens, verbs.store(), search)).as(what).isEqualTo(found(modelLens, model, search));
    }

    private static Set<StoredRecord> found(Lens lens, Store store, RecordSearch search) {
        return unordered(lens, store.search(search).records());
    }

    private void annotate(String key, String what) {
        Leases lease = lease(key);
        Change change = one(List.of(Change.VIEWED, Change.PROPOSED, Change.REPLAY_REFUSED));
        assertThat(realLens.at(verbs.store().annotate(lease.real(), change, StoreVerbs.EVIDENCE)))
                .as(what)
                .isEqualTo(modelLens.at(model.annotate(lease.model(), change, StoreVerbs.EVIDENCE)));
    }

    private void forget(String key, String what) {
        Leases lease = lease(key);
        if (once(4)) {
            assertThat(realLens.at(verbs.store().forget(lease.real(), StoreVerbs.EVIDENCE)))
                    .as(what)
                    .isEqualTo(modelLens.at(model.forget(lease.model(), StoreVerbs.EVIDENCE)));
        }
    }

    private void prune(String what) {
        Expiry expiry = one(List.of(Expiry.MARK, Expiry.MARK, Expiry.DELETE));
        assertThat(verbs.prune(ALL, expiry)).as(what).isEqualTo(model.prune(ALL, expiry));
    }

    private void elapse() {
        Duration passing = Duration.ofHours(once(6) ? 25 : 1 + random.nextInt(11));
        verbs.harness().elapse(passing);
        time.advance(passing);
    }

    private static Set<StoredRecord> unordered(Lens lens, List<StoredRecord> records) {
        Set<StoredRecord> seen = new HashSet<>();
        records.forEach(record -> seen.add(lens.at(record)));
        assertThat(seen).hasSameSizeAs(records);
        return seen;
    }

    private void compare(String key, String what) {
        Optional<StoredRecord> record = verbs.find(key);
        List<AuditEntry> history = verbs.history(key);
        assertThat(record.map(realLens::at))
                .as(what)
                .isEqualTo(await(model.find(id(key))).map(modelLens::at));
        assertThat(realLens.at(history)).as(what).isEqualTo(modelLens.at(model.history(id(key))));
        if (record.isPresent()) {
            Replay.of(history).assertDescribes(record.get());
        } else {
            assertThat(history).as(what).isEmpty();
        }
        history.forEach(entry -> hops.add(Replay.Hop.of(entry)));
    }
}
