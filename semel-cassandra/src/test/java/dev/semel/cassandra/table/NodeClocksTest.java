package dev.semel.cassandra.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The clock of the nodes")
class NodeClocksTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong(7);
    private final NodeClocks clocks = new NodeClocks(nanos::get);
    private final UUID one = new UUID(0, 1);
    private final UUID two = new UUID(0, 2);
    private final UUID three = new UUID(0, 3);

    private void tells(UUID node, Instant told) {
        clocks.heard(node, told, clocks.elapsed());
    }

    private void elapse(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Test
    @DisplayName("one node is the clock, carried on by elapsed time")
    void one() {
        assertThat(clocks.isSet()).isFalse();
        tells(one, NOW);
        elapse(Duration.ofHours(1));
        assertThat(clocks.now()).isEqualTo(NOW.plus(Duration.ofHours(1)));
    }

    @Test
    @DisplayName("a node that is wrong by an hour, or by a year, is outvoted")
    void outvoted() {
        for (Duration wrong : new Duration[] {Duration.ofHours(1), Duration.ofHours(-1), Duration.ofDays(365)}) {
            tells(one, NOW);
            tells(two, NOW.plusMillis(3));
            tells(three, NOW.plus(wrong));
            assertThat(Duration.between(NOW, clocks.now()).abs()).isLessThan(Duration.ofMillis(4));
            assertThat(clocks.spread()).isGreaterThan(NodeClocks.TOLERANCE);
        }
    }

    @Test
    @DisplayName("while no majority agrees, the last estimate is carried on")
    void no_majority() {
        tells(one, NOW);
        tells(two, NOW.plus(Duration.ofHours(1)));
        assertThat(clocks.now()).isEqualTo(NOW);
        tells(three, NOW.minus(Duration.ofHours(1)));
        elapse(Duration.ofSeconds(30));
        assertThat(clocks.now()).isEqualTo(NOW.plusSeconds(30));
    }

    @Test
    @DisplayName("clocks that a majority has set back, or forward, are followed")
    void set() {
        tells(one, NOW);
        tells(two, NOW);
        tells(three, NOW);
        Instant back = NOW.minus(Duration.ofHours(2));
        tells(one, back);
        assertThat(clocks.now()).isEqualTo(NOW);
        tells(two, back);
        assertThat(clocks.now()).isEqualTo(back);
    }

    @Test
    @DisplayName("an answer that took long says nothing, and one that is old does not count")
    void slow_and_old() {
        tells(one, NOW);
        long sent = clocks.elapsed();
        elapse(Duration.ofSeconds(10));
        clocks.heard(two, NOW, sent);
        clocks.heard(three, NOW, sent);
        assertThat(clocks.now()).isEqualTo(NOW.plusSeconds(10));
        elapse(Duration.ofMinutes(6));
        tells(two, NOW);
        assertThat(clocks.now()).isEqualTo(NOW);
    }

    @Test
    @DisplayName("that time has run out is decided by the earlier of the estimate and the node that brought the record")
    void decisive() {
        tells(one, NOW);
        assertThat(clocks.decisive(NOW.plusSeconds(9))).isEqualTo(NOW);
        assertThat(clocks.decisive(NOW.minusSeconds(9))).isEqualTo(NOW.minusSeconds(9));
    }

    @Test
    @DisplayName("nodes are asked again after ten seconds, by one caller")
    void asking() {
        tells(one, NOW);
        assertThat(clocks.isTimeToAsk()).isFalse();
        elapse(Duration.ofSeconds(11));
        assertThat(clocks.isTimeToAsk()).isTrue();
        assertThat(clocks.isTimeToAsk()).isFalse();
    }
}
