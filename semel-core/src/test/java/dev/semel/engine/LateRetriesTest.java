package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Operation.LateRetries;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.Retention.Expiry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A late retry")
class LateRetriesTest extends EngineFixture {

    private static final Duration RETENTION = Duration.ofHours(24);
    private static final byte[] SECRET = "a secret of thirty-two bytes or so".getBytes(StandardCharsets.UTF_8);

    /** A UUID of version 7 of this time. */
    private static String timed(Instant time) {
        return new UUID(time.toEpochMilli() << 16 | 0x7123, 0x8123456789abcdefL).toString();
    }

    private static Intent keyed(Operation operation, String key) {
        return Intent.of(operation, ID.scope(), Key.of(key), new Fingerprint("v1:a"));
    }

    private static Execution<String> execute(SemelEngine engine, Intent intent) {
        return engine.execute(intent, Codec.text(), attempt -> "charged");
    }

    private void prunedAfterRetention() {
        time.advance(RETENTION.plusSeconds(1));
        semel.prune(Expiry.DELETE);
    }

    @Test
    void is_refused_where_the_key_carries_its_time() {
        Intent intent = keyed(CHARGE, timed(time.instant()));
        assertThat(execute(semel, intent)).isInstanceOf(Execution.Ran.class);
        prunedAfterRetention();
        Execution<String> late = execute(semel, intent);
        assertThat(late).isEqualTo(new Execution.Refused<>(new Refusal.KeyExpired()));
        assertThatThrownBy(late::orThrow)
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("retention of this key has passed");
        assertThat(events).last().isInstanceOf(Event.RefusedExpired.class);
    }

    @Test
    void is_executed_where_the_operation_says_so_or_the_key_carries_no_time() {
        Intent execute = keyed(CHARGE.lateRetries(LateRetries.EXECUTE), timed(time.instant()));
        Intent plain = keyed(CHARGE, "order-4711");
        for (Intent intent : new Intent[] {execute, plain}) {
            execute(semel, intent);
        }
        prunedAfterRetention();
        for (Intent intent : new Intent[] {execute, plain}) {
            assertThat(execute(semel, intent)).isInstanceOf(Execution.Ran.class);
        }
    }

    @Test
    void is_refused_by_the_time_that_the_caller_says_which_counts_more_than_that_of_the_key() {
        Instant sent = time.instant();
        Intent intent = keyed(CHARGE, "order-4711").firstSentAt(sent);
        execute(semel, intent);
        prunedAfterRetention();
        assertThat(execute(semel, intent)).isEqualTo(new Execution.Refused<>(new Refusal.KeyExpired()));
        Intent fresh = keyed(CHARGE, timed(sent)).firstSentAt(time.instant());
        assertThat(execute(semel, fresh)).isInstanceOf(Execution.Ran.class);
    }

    @Test
    @DisplayName("of a message is not told by the time in its id, which may be older than its first delivery")
    void of_a_message() {
        Operation consume = CHARGE.lateRetries(LateRetries.BY_TOMBSTONE);
        Instant sent = time.instant().minus(RETENTION.multipliedBy(3));
        assertThat(execute(semel, keyed(consume, timed(sent)))).isInstanceOf(Execution.Ran.class);
        assertThat(execute(semel, keyed(consume, "m1").firstSentAt(sent)))
                .isEqualTo(new Execution.Refused<>(new Refusal.KeyExpired()));
    }

    @Test
    void is_recognized_where_keys_are_hashed() {
        SemelEngine hashed =
                SemelEngine.on(store).timer(time).hashedKeys(SECRET).build();
        Intent intent = keyed(CHARGE, timed(time.instant()));
        assertThat(execute(hashed, intent)).isInstanceOf(Execution.Ran.class);
        time.advance(RETENTION.plusSeconds(1));
        hashed.prune(Expiry.DELETE);
        assertThat(execute(hashed, intent)).isEqualTo(new Execution.Refused<>(new Refusal.KeyExpired()));
    }

    @Test
    void a_key_from_the_future_is_refused() {
        Intent intent = keyed(CHARGE, timed(time.instant().plus(Duration.ofMinutes(6))));
        assertThat(execute(semel, intent)).isEqualTo(new Execution.Refused<>(new Refusal.KeyFromFuture()));
        assertThat(events).last().isInstanceOf(Event.RefusedFromFuture.class);
        time.advance(Duration.ofMinutes(2));
        assertThat(execute(semel, intent)).isInstanceOf(Execution.Ran.class);
    }

    @Test
    void a_time_that_no_clock_says_is_an_error_of_the_caller() {
        Intent intent = keyed(CHARGE, "k");
        assertThatThrownBy(() -> intent.firstSentAt(Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between the years 1970 and 9999");
    }
}
