package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.Reconciliation;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.reconcile.Verdict;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An engine with hashed keys on a store: nothing is executed again because keys are stored in another form. */
public interface HashedKeysContract extends StoreVerbs {

    byte[] SECRET = "a secret of thirty-two bytes and more".getBytes(StandardCharsets.US_ASCII);
    byte[] OTHER_SECRET = "another secret that is long enough, too".getBytes(StandardCharsets.US_ASCII);

    /** Kept long enough that only moving the clock ends it. */
    Operation CHARGE = Operation.named("charge").retention(Duration.ofDays(1));

    default SemelEngine hashed() {
        return hashed(SECRET);
    }

    default SemelEngine hashed(byte[] secret) {
        return SemelEngine.on(store())
                .timer(new ManualTime())
                .hashedKeys(secret)
                .build();
    }

    default SemelEngine clear() {
        return SemelEngine.on(store()).timer(new ManualTime()).build();
    }

    static Intent intent(Identity identity) {
        return Intent.of(CHARGE, identity.scope(), identity.key(), FINGERPRINT);
    }

    static Execution<String> charge(SemelEngine semel, Identity identity) {
        return semel.execute(intent(identity), Codec.text(), attempt -> "charged as " + attempt.downstreamKey("bank"));
    }

    static void lose(SemelEngine semel, Identity identity) {
        assertThatThrownBy(() -> semel.execute(intent(identity), Codec.text(), attempt -> {
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    static Verdict.Happened happened(String text) {
        return new Verdict.Happened(Response.of(text.getBytes(StandardCharsets.UTF_8)), "statement 7");
    }

    @Test
    @DisplayName("keys are stored as digests of scope and key, and requests are executed once and found by their key")
    default void hashed_keys_work() {
        SemelEngine semel = hashed();
        Execution<String> first = charge(semel, id("jane@example.com"));
        assertThat(first).isInstanceOf(Execution.Ran.class);
        assertThat(charge(hashed(), id("jane@example.com"))).isInstanceOf(Execution.Replayed.class);

        Identity stored = semel.stored(id("jane@example.com"));
        assertThat(stored.scope()).isEqualTo(id("k").scope());
        assertThat(stored.key().value()).matches("h1:[A-Za-z0-9_-]{43}");
        assertThat(stored.key())
                .isNotEqualTo(
                        semel.stored(Identity.of("globex", "jane@example.com")).key());
        assertThat(StoreVerbs.await(store().find(stored)).orElseThrow().state()).isEqualTo(State.COMPLETED);
        assertThat(StoreVerbs.await(store().find(id("jane@example.com")))).isEmpty();
        assertThat(semel.find(id("jane@example.com")).orElseThrow().identity()).isEqualTo(stored);
    }

    @Test
    @DisplayName("a client that sends another record's stored key addresses a record of its own")
    default void hashed_keys_cannot_be_addressed() {
        SemelEngine semel = hashed();
        charge(semel, id("k"));
        Identity stored = semel.stored(id("k"));

        assertThat(semel.find(stored)).isEmpty();
        assertThat(charge(semel, stored)).isInstanceOf(Execution.Ran.class);
        assertThat(semel.find(stored).orElseThrow().identity()).isNotEqualTo(stored);
    }

    @Test
    @DisplayName("an unknown outcome is settled by the client's key, or by the stored key that lists show")
    default void hashed_keys_settle() {
        SemelEngine semel = hashed();
        lose(semel, id("by-webhook"));
        lose(semel, id("by-list"));

        assertThat(semel.settle(CHARGE, id("by-webhook"), happened("found"), "bank"))
                .isInstanceOf(Reconciliation.Accepted.class);
        assertThat(charge(semel, id("by-webhook"))).isEqualTo(new Execution.Replayed<>("found"));

        List<StoredRecord> listed = semel.unknownOutcomes().listUnknown(UnknownFilter.ALL, 10);
        assertThat(listed).extracting(StoredRecord::identity).containsExactly(semel.stored(id("by-list")));
        assertThat(semel.unknownOutcomes()
                        .settle(listed.get(0).identity(), Duration.ofDays(1), happened("found, too"), "bank"))
                .isInstanceOf(Reconciliation.Accepted.class);
        assertThat(charge(semel, id("by-list"))).isEqualTo(new Execution.Replayed<>("found, too"));
    }

    @Test
    @DisplayName("attempts and resolvers derive the same key for other services")
    default void hashed_keys_derive_alike() {
        SemelEngine semel = hashed();
        List<String> sent = new ArrayList<>();
        assertThatThrownBy(() -> semel.execute(intent(id("k")), Codec.text(), attempt -> {
                    sent.add(attempt.downstreamKey("bank"));
                    throw new OutcomeUnknownException("timeout");
                }))
                .isInstanceOf(OutcomeUnknownException.class);
        StoredRecord unknown =
                semel.unknownOutcomes().listUnknown(UnknownFilter.ALL, 1).get(0);

        assertThat(semel.unknownOutcomes().downstreamKey(unknown.identity(), "bank"))
                .isEqualTo(sent.get(0));
    }

    @Test
    @DisplayName("a store with keys in the clear does not become one with hashed keys, and goes on as before")
    default void hashed_keys_need_an_empty_store() {
        charge(clear(), id("k"));
        assertThatThrownBy(this::hashed)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("keys are in the clear")
                .hasMessageContaining("executed again");
        assertThat(charge(clear(), id("k"))).isInstanceOf(Execution.Replayed.class);

        harness().elapse(Duration.ofDays(2));
        assertThatThrownBy(this::hashed).as("with an expired record").isInstanceOf(StoreException.class);
        clear().prune(Expiry.DELETE);
        assertThat(charge(hashed(), id("k"))).isInstanceOf(Execution.Ran.class);
    }

    @Test
    @DisplayName("a store with hashed keys refuses engines without the secret and with another one")
    default void hashed_keys_stay_hashed() {
        charge(hashed(), id("k"));

        assertThatThrownBy(this::clear)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("keys in this store are hashed")
                .hasMessageContaining("executed again");
        assertThatThrownBy(() -> hashed(OTHER_SECRET))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("another secret");
        harness().elapse(Duration.ofDays(3650));
        hashed().prune(Expiry.DELETE);
        assertThatThrownBy(this::clear).as("after all else has expired").isInstanceOf(StoreException.class);
        assertThat(charge(hashed(), id("k"))).isInstanceOf(Execution.Ran.class);
    }

    @Test
    @DisplayName("of engines with different secrets that start at once on an empty store, those of one secret start")
    default void hashed_keys_start_at_once() throws Exception {
        int engines = 8;
        CountDownLatch together = new CountDownLatch(engines);
        ExecutorService pool = Executors.newFixedThreadPool(engines);
        List<CompletableFuture<String>> started = new ArrayList<>();
        for (int i = 0; i < engines; i++) {
            byte[] secret = i % 2 == 0 ? SECRET : OTHER_SECRET;
            started.add(CompletableFuture.supplyAsync(
                    () -> {
                        together.countDown();
                        try {
                            together.await();
                            SemelEngine.on(harness().another())
                                    .hashedKeys(secret)
                                    .build();
                            return new String(secret, StandardCharsets.US_ASCII);
                        } catch (StoreException refused) {
                            assertThat(refused).hasMessageContaining("another secret");
                            return "";
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    pool));
        }
        List<String> secrets = started.stream()
                .map(CompletableFuture::join)
                .filter(secret -> !secret.isEmpty())
                .toList();
        pool.shutdown();
        assertThat(secrets).hasSize(engines / 2);
        assertThat(secrets.stream().distinct()).hasSize(1);
    }

    @Test
    @DisplayName(
            "while an engine is about to hash the keys, none starts with keys in the clear; one that died is taken over")
    default void hashed_keys_begun() {
        granted(new ClaimRequest(
                Identity.of("dev.semel", "hashed-keys"),
                "dev.semel.hashed-keys",
                new Fingerprint("v1:hashed"),
                Duration.ofSeconds(5),
                true,
                "one-that-died"));
        assertThatThrownBy(this::clear).isInstanceOf(StoreException.class).hasMessageContaining("hashed");
        harness().elapse(Duration.ofSeconds(6));
        assertThatThrownBy(this::clear).isInstanceOf(StoreException.class).hasMessageContaining("hashed");
        assertThat(charge(hashed(), id("k"))).isInstanceOf(Execution.Ran.class);
    }

    @Test
    @DisplayName("an engine for operators executes nothing, and names records by either key, without the secret by one")
    default void hashed_keys_for_operators() {
        SemelEngine application = hashed();
        lose(application, id("k"));
        Identity stored = application.stored(id("k"));
        SemelEngine knowing = SemelEngine.on(store())
                .timer(new ManualTime())
                .forOperators()
                .hashedKeys(SECRET)
                .build();
        SemelEngine unknowing =
                SemelEngine.on(store()).timer(new ManualTime()).forOperators().build();

        assertThat(knowing.named(id("k"))).isEqualTo(stored);
        assertThat(knowing.named(stored)).isEqualTo(stored);
        assertThat(unknowing.named(stored)).isEqualTo(stored);
        assertThatThrownBy(() -> unknowing.named(id("k")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("give its secret");
        assertThatThrownBy(() -> charge(knowing, id("k"))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> SemelEngine.on(store())
                        .forOperators()
                        .hashedKeys(OTHER_SECRET)
                        .build())
                .hasMessageContaining("another secret");
        assertThat(unknowing.unknownOutcomes().requeue(stored, new Evidence("ann", "looked")))
                .isInstanceOf(Reconciliation.Accepted.class);
    }

    @Test
    @DisplayName("a secret for keys in the clear is noticed by operators, too")
    default void clear_keys_for_operators() {
        settle(granted("k"), completed("done"));
        assertThat(SemelEngine.on(store())
                        .timer(new ManualTime())
                        .forOperators()
                        .build()
                        .named(id("k")))
                .isEqualTo(id("k"));
        assertThatThrownBy(() -> SemelEngine.on(store())
                        .forOperators()
                        .hashedKeys(SECRET)
                        .build())
                .hasMessageContaining("not hashed");
    }
}
