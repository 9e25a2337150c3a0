package dev.semel.testkit.contract;

import static dev.semel.testkit.contract.StoreVerbs.completed;
import static dev.semel.testkit.contract.StoreVerbs.id;
import static dev.semel.testkit.contract.StoreVerbs.notExecuted;
import static dev.semel.testkit.contract.StoreVerbs.request;
import static dev.semel.testkit.contract.StoreVerbs.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.semel.Lease;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long records stay, and what pruning does. */
public interface RetentionContract extends StoreVerbs {

    @Test
    @DisplayName("past its retention a record reads as expired, and its response is out of reach")
    default void retention_expired() {
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        expireRetention();
        for (String key : List.of("completed", "failed")) {
            assertThat(record(key).state()).isEqualTo(State.EXPIRED);
            assertThat(record(key).response()).isNull();
        }
    }

    @Test
    @DisplayName("an expired record is claimed like an absent one, whatever the new request means")
    default void retention_reuse_with_another_meaning() {
        settle(granted("k"), completed("old"));
        StoredRecord old = record("k");
        expireRetention();
        assertThat(claim(request("k").withFingerprint(OTHER_FINGERPRINT)))
                .asInstanceOf(type(ClaimAnswer.Granted.class))
                .satisfies(granted -> assertThat(granted.attempts()).isEqualTo(1));
        StoredRecord record = record("k");
        assertThat(record.fingerprint()).isEqualTo(OTHER_FINGERPRINT);
        assertThat(record.response()).isNull();
        assertThat(record.reason()).isNull();
        assertThat(record.evidence()).isNull();
        assertThat(record.times().expiresAt()).isNull();
        assertThat(record.times().createdAt()).isAfter(old.times().createdAt());
    }

    @Test
    @DisplayName("each record keeps the retention that it was settled with")
    default void retention_per_record() {
        settle(granted("short"), completed("s"), Duration.ofMinutes(5));
        settle(granted("long"), completed("l"), Duration.ofDays(7));
        harness().elapse(Duration.ofMinutes(6));
        assertThat(claim("short")).isInstanceOf(ClaimAnswer.Granted.class);
        assertThat(claim("long")).isInstanceOf(ClaimAnswer.Recorded.class);
    }

    @Test
    @DisplayName("pruning deletes what is past retention, and never what is in progress or unknown")
    default void prune_deletes() {
        granted("in-progress");
        unknownLease("unknown");
        settle(granted("completed"), completed("done"));
        settle(granted("failed"), notExecuted());
        settle(granted("longer"), completed("kept"), RETENTION.multipliedBy(3));
        expireRetention();
        assertThat(prune(100, Expiry.DELETE)).isEqualTo(2);
        assertThat(find("completed")).isEmpty();
        assertThat(find("failed")).isEmpty();
        assertThat(record("in-progress").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(record("unknown").state()).isEqualTo(State.UNKNOWN);
        assertThat(record("longer").response()).isEqualTo(response("kept"));
        assertThat(prune(100, Expiry.DELETE)).isZero();
    }

    @Test
    @DisplayName(
            "soft pruning marks a record once, drops its response and keeps the rest; hard pruning deletes it later")
    default void prune_marks() {
        Lease lease = granted("k");
        settle(lease, completed("done"));
        expireRetention();
        assertThat(prune(100, Expiry.MARK)).isEqualTo(1);
        assertThat(prune(100, Expiry.MARK)).isZero();
        StoredRecord record = record("k");
        assertThat(record.state()).isEqualTo(State.EXPIRED);
        assertThat(record.response()).isNull();
        assertThat(record.fence()).isEqualTo(lease.fence());
        assertThat(record.operation()).isEqualTo("create-payment");
        assertThat(prune(100, Expiry.DELETE)).isEqualTo(1);
        assertThat(find("k")).isEmpty();
    }

    @Test
    @DisplayName("pruning works in batches, oldest first")
    default void prune_batches() {
        for (int i = 0; i < 7; i++) {
            settle(granted("k" + i), completed("done"), Duration.ofMinutes(7 - i));
        }
        harness().elapse(Duration.ofHours(1));
        assertThat(prune(3, Expiry.DELETE)).isEqualTo(3);
        assertThat(find("k6")).isEmpty();
        assertThat(find("k4")).isEmpty();
        assertThat(find("k3")).isPresent();
        assertThat(prune(3, Expiry.DELETE)).isEqualTo(3);
        assertThat(prune(3, Expiry.DELETE)).isEqualTo(1);
        assertThat(prune(3, Expiry.DELETE)).isZero();
    }

    @Test
    @DisplayName("pruning under load removes nothing that is claimed or completed anew meanwhile")
    default void prune_under_load() throws Exception {
        int keys = 60;
        for (int i = 0; i < keys; i++) {
            settle(granted("k" + i), completed("old"));
        }
        expireRetention();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> pruners = new ArrayList<>();
            for (Expiry expiry : Expiry.values()) {
                pruners.add(threads.submit((Callable<Void>) () -> {
                    while (!stop.get()) {
                        prune(5, expiry);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < keys; i++) {
                Lease lease = granted("k" + i);
                assertThat(settle(lease, completed("new" + i))).isInstanceOf(SettleAnswer.Settled.class);
            }
            stop.set(true);
            for (Future<?> pruner : pruners) {
                pruner.get();
            }
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
        for (int i = 0; i < keys; i++) {
            assertThat(StoreVerbs.await(store().find(id("k" + i))).orElseThrow().response())
                    .isEqualTo(response("new" + i));
        }
    }
}
