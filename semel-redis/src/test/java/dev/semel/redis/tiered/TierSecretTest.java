package dev.semel.redis.tiered;

import static dev.semel.testkit.contract.StoreVerbs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.memory.MemoryStore;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testkit.ManualTime;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.stores.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The secret of a tiered store")
class TierSecretTest {

    private final ManualTime time = new ManualTime();
    private final MemoryStore primary = new MemoryStore(time);

    private Lease claimed(Fingerprint fingerprint) {
        ClaimAnswer answer = await(primary.claim(new ClaimRequest(
                TierSecret.IDENTITY,
                TierSecret.OPERATION,
                fingerprint,
                Duration.ofSeconds(5),
                true,
                "another process")));
        return ((ClaimAnswer.Granted) answer).lease();
    }

    private static Outcome bytes(int count) {
        return new Outcome.Completed(Response.of(new byte[count]));
    }

    @Test
    @DisplayName("is random, and created once")
    void created_once() {
        StoredRecord first = TierSecret.of(primary);
        time.advance(Duration.ofDays(10 * 365));
        assertThat(TierSecret.of(primary).response()).isEqualTo(first.response());
        assertThat(TierSecret.of(new MemoryStore()).response()).isNotEqualTo(first.response());
    }

    @Test
    @DisplayName("is the same for all processes that start at once")
    void created_at_once() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<StoredRecord>> starting = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                starting.add(() -> TierSecret.of(primary));
            }
            StoredRecord kept = null;
            for (Future<StoredRecord> started : threads.invokeAll(starting)) {
                kept = kept == null ? started.get() : kept;
                assertThat(started.get().response()).isEqualTo(kept.response());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("is awaited while another process creates it")
    void waited_for() {
        Lease lease = claimed(TierSecret.FINGERPRINT);
        CompletableFuture<StoredRecord> waiting = CompletableFuture.supplyAsync(() -> TierSecret.of(primary));
        await(primary.settle(lease, bytes(TierSecret.BYTES), StoreVerbs.RETENTION));
        assertThat(waiting.join().response()).isEqualTo(Response.of(new byte[TierSecret.BYTES]));
    }

    @Test
    @DisplayName("is created by the next process if the first crashes, and a late settlement of the first is refused")
    void taken_over() {
        Lease crashed = claimed(TierSecret.FINGERPRINT);
        time.advance(Duration.ofSeconds(6));
        StoredRecord chosen = TierSecret.of(primary);
        await(primary.settle(crashed, bytes(TierSecret.BYTES), StoreVerbs.RETENTION));
        assertThat(TierSecret.of(primary).response()).isEqualTo(chosen.response());
    }

    @Test
    @DisplayName("is the recorded one when the answer to its settlement was lost")
    void answer_lost() {
        FaultyStore faulty = new FaultyStore(primary);
        faulty.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.ANSWER_LOST);
        assertThatThrownBy(() -> TierSecret.of(faulty)).isInstanceOf(StoreException.class);
        assertThat(TierSecret.of(faulty).response())
                .isEqualTo(
                        await(primary.find(TierSecret.IDENTITY)).orElseThrow().response());
    }

    @Test
    @DisplayName("is not read from a record of another program, nor from one without a secret")
    void foreign() {
        Lease foreign = claimed(StoreVerbs.FINGERPRINT);
        assertThatThrownBy(() -> TierSecret.of(primary))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was not written by a tiered store");
        await(primary.settle(foreign, new Outcome.NotExecuted("gone"), Duration.ofSeconds(1)));
        time.advance(Duration.ofSeconds(2));
        await(primary.settle(claimed(TierSecret.FINGERPRINT), bytes(3), StoreVerbs.RETENTION));
        assertThatThrownBy(() -> TierSecret.of(primary))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("holds no secret");
    }
}
