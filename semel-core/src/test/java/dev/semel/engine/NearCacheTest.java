package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.RecordedFailureException;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt;
import dev.semel.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failure of the cache in the wrong place would let callers wait for ever. */
@DisplayName("near-cache: replays")
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NearCacheTest extends NearFixture {

    private static final Execution<String> REPLAY = new Execution.Replayed<>("charged 1");

    @Test
    @DisplayName("a first request takes two round trips, a replay none")
    void round_trips() {
        assertThat(roundTripsOf(this::executeNear)).as("first request").isEqualTo(2);
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(REPLAY)))
                .as("replay")
                .isZero();
        assertThat(executions).isEqualTo(1);
        SemelEngine without = SemelEngine.on(counting).timer(time).build();
        assertThat(roundTripsOf(() -> without.begin(intent(CHARGE))))
                .as("replay without a cache")
                .isEqualTo(1);
    }

    @Test
    void a_record_of_another_process_is_asked_for_once() {
        execute(CHARGE);
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(REPLAY)))
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(REPLAY)))
                .isZero();
    }

    @Test
    void replays_are_counted_with_where_they_came_from() {
        execute(CHARGE);
        executeNear();
        executeNear();
        executeNear();
        assertThat(events)
                .filteredOn(Event.Replayed.class::isInstance)
                .extracting(event -> ((Event.Replayed) event).near())
                .containsExactly(false, true, true);
        assertThat(events).noneMatch(Event.CacheFault.class::isInstance);
    }

    @Test
    @DisplayName("I7: the same key for something else is refused from memory, and runs and reveals nothing")
    void mismatch() {
        executeNear();
        Intent misuse = intent(CHARGE, "200 EUR");
        assertThat(roundTripsOf(() -> {
                    assertThat(near.begin(misuse)).isEqualTo(new Claim.Refused(new Refusal.Mismatch()));
                    assertThat(near.beginAsync(misuse)).isCompletedWithValue(new Claim.Refused(new Refusal.Mismatch()));
                }))
                .isZero();
        assertThat(events).last().isEqualTo(new Event.RefusedMismatch("charge", ID, Duration.ZERO));
        assertThat(executeNear()).isEqualTo(REPLAY);
    }

    @Test
    void recognizes_a_fingerprint_of_another_version_of_the_same_meaning() {
        Fingerprint old = new Fingerprint("v1.k1:aaa");
        Intent rotated = Intent.of(CHARGE, ID.scope(), ID.key(), new Fingerprint("v1.k2:bbb"));
        executeNear(Intent.of(CHARGE, ID.scope(), ID.key(), old));
        assertThat(roundTripsOf(() -> {
                    assertThat(near.begin(rotated)).extracting("why").isInstanceOf(Refusal.Mismatch.class);
                    assertThat(near.begin(rotated.sameAs(old::matches))).isInstanceOf(Claim.Recorded.class);
                    assertThat(near.begin(rotated.sameAs(stored -> false)))
                            .extracting("why")
                            .isInstanceOf(Refusal.Mismatch.class);
                }))
                .isZero();
    }

    @Test
    void a_test_of_fingerprints_that_throws_reaches_its_caller() {
        executeNear();
        Intent broken = intent(CHARGE, "200 EUR").sameAs(stored -> {
            throw new UnsupportedOperationException("test");
        });
        assertThatThrownBy(() -> near.begin(broken)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(near.beginAsync(broken)).isCompletedExceptionally();
    }

    @Test
    void asynchronous_callers_are_answered_too() {
        executeNear();
        assertThat(roundTripsOf(() -> assertThat(
                                near.executeAsync(intent(CHARGE), Codec.text(), attempt -> new CompletableFuture<>()))
                        .isCompletedWithValue(REPLAY)))
                .isZero();
    }

    @Test
    void a_caller_that_waits_for_a_running_duplicate_gets_its_answer_from_memory() {
        RunningAttempt running = ((Claim.Granted) near.begin(intent(CHARGE))).attempt();
        CompletableFuture<Claim> waiting =
                near.beginAsync(intent(CHARGE.waitUpTo(Duration.ofSeconds(5)))).toCompletableFuture();
        running.settle(new Outcome.Completed(Response.of(new byte[] {7})));
        assertThat(roundTripsOf(() -> time.advance(Duration.ofSeconds(1)))).isZero();
        assertThat(waiting).isCompletedWithValueMatching(Claim.Recorded.class::isInstance);
        assertThat(waiting.join()).extracting("response").isEqualTo(Response.of(new byte[] {7}));
    }

    @Test
    void a_recorded_failure_is_replayed_as_a_failure() {
        assertThatThrownBy(() -> executeNear(CHARGE, attempt -> {
                    throw new IOException("card reader on fire");
                }))
                .isInstanceOf(IOException.class);
        assertThat(roundTripsOf(() -> assertThatThrownBy(this::executeNear)
                        .isInstanceOf(RecordedFailureException.class)
                        .hasMessage("card reader on fire")))
                .isZero();
    }

    @Test
    void what_is_encrypted_in_the_store_is_encrypted_in_memory() {
        SemelEngine encrypting = SemelEngine.on(counting)
                .timer(time)
                .nearCache(cache)
                .encryption(EncryptionKeys.current("k1", new byte[32]))
                .build();
        encrypting.execute(intent(CHARGE), Codec.text(), attempt -> "the secret");
        Response kept = cache.entries.get(ID).response();
        assertThat(kept).isEqualTo(onRecord().response());
        assertThat(new String(kept.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain("secret");
        assertThat(roundTripsOf(() -> assertThat(encrypting.begin(intent(CHARGE)))
                        .extracting("response")
                        .isEqualTo(Response.of("the secret".getBytes(StandardCharsets.UTF_8)))))
                .isZero();
    }

    @Test
    void an_engine_answers_from_nothing_that_another_one_has_kept() {
        executeNear();
        SemelEngine elsewhere = SemelEngine.on(new MemoryStore(time))
                .timer(time)
                .nearCache(cache)
                .build();
        assertThat(elsewhere.execute(intent(CHARGE), Codec.text(), attempt -> "on another store"))
                .isInstanceOf(Execution.Ran.class);
    }

    @Test
    void find_shows_what_the_store_says() {
        executeNear();
        assertThat(roundTripsOf(() -> assertThat(near.find(ID)).isPresent())).isEqualTo(1);
    }

    @Test
    void what_is_forgotten_is_asked_for_again() {
        executeNear();
        cache.forget(ID);
        assertThat(roundTripsOf(this::executeNear)).isEqualTo(1);
        cache.clear();
        assertThat(roundTripsOf(this::executeNear)).isEqualTo(1);
        assertThat(roundTripsOf(this::executeNear)).isZero();
    }

    @Test
    void a_closed_engine_answers_nothing_and_leaves_the_cache_alone() {
        executeNear();
        near.close();
        assertThatThrownBy(this::executeNear).isInstanceOf(StoreException.class).hasMessageContaining("closed");
        assertThat(near.beginAsync(intent(CHARGE))).isCompletedExceptionally();
        assertThat(cache.entries).containsOnlyKeys(ID);
    }

    @Test
    void a_response_that_the_cache_has_damaged_is_asked_for_again() {
        executeNear();
        NearCache.Entry kept = cache.entries.get(ID);
        cache.entries.put(
                ID,
                new NearCache.Entry(
                        ID,
                        kept.fingerprint(),
                        Response.of(new byte[] {1}),
                        kept.origin(),
                        kept.keeper(),
                        kept.untilNanos()));
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(REPLAY)))
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> assertThat(executeNear()).isEqualTo(REPLAY)))
                .isZero();
        assertThat(eventNames()).containsExactly("Granted", "Settled", "CacheFault", "Replayed", "Replayed");
    }

    @Test
    void a_cache_that_fails_is_reported_and_breaks_nothing() {
        assertRunsOnceWith(new BrokenCache(new IllegalStateException("injected")));
        events.clear();
        time.advance(CHARGE.retention());
        assertRunsOnceWith(new BrokenCache(new NoClassDefFoundError("com/github/benmanes/caffeine")));
    }

    private void assertRunsOnceWith(NearCache broken) {
        executions = 0;
        SemelEngine unlucky = SemelEngine.on(counting)
                .timer(time)
                .listener(events::add)
                .nearCache(broken)
                .build();
        assertThat(unlucky.execute(intent(CHARGE), Codec.text(), attempt -> "charged " + ++executions))
                .isInstanceOf(Execution.Ran.class);
        assertThat(roundTripsOf(() -> assertThat(unlucky.execute(intent(CHARGE), Codec.text(), attempt -> "again"))
                        .isEqualTo(REPLAY)))
                .isEqualTo(1);
        assertThat(unlucky.executeAsync(intent(CHARGE), Codec.text(), attempt -> new CompletableFuture<>()))
                .isCompletedWithValue(REPLAY);
        assertThat(executions).isEqualTo(1);
        assertThat(events)
                .filteredOn(Event.CacheFault.class::isInstance)
                .extracting(event -> ((Event.CacheFault) event).verb())
                .containsExactly("find", "keep", "find", "keep", "find", "keep");
        assertThat(events).noneMatch(Event.StoreFault.class::isInstance);
    }

    private static final class BrokenCache implements NearCache {

        private final Throwable failure;

        BrokenCache(Throwable failure) {
            this.failure = failure;
        }

        private RuntimeException broken() {
            if (failure instanceof Error error) {
                throw error;
            }
            return (RuntimeException) failure;
        }

        @Override
        public Optional<Entry> find(Identity identity) {
            throw broken();
        }

        @Override
        public void keep(Entry entry, Duration atMost) {
            throw broken();
        }

        @Override
        public void forget(Identity identity) {
            throw broken();
        }

        @Override
        public void clear() {
            throw broken();
        }
    }
}
