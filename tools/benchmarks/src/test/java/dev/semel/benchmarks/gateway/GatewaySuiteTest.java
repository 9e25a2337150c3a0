package dev.semel.benchmarks.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Few requests, and without wrk: that everything runs; what it measures means nothing. */
@DisplayName("The gateway suite")
class GatewaySuiteTest {

    private static final GatewayOptions SHORT =
            new GatewayOptions(2, Duration.ofMillis(100), Duration.ofMillis(120), 2, 30, 5, Map.of(), false);

    private final List<String> progress = new ArrayList<>();

    @Test
    void measures_each_side_once_a_round() {
        Map<String, ProcessorTime.Figures> figures =
                ProcessorTime.measure(SHORT, new ProcessorTime.Chosen(true, true, true), progress::add);

        assertThat(figures)
                .containsOnlyKeys(
                        ProcessorTime.HOP,
                        ProcessorTime.PASS_THROUGH,
                        ProcessorTime.PROTECTED,
                        ProcessorTime.FRESH,
                        ProcessorTime.HOP + ProcessorTime.HTTP2,
                        ProcessorTime.PASS_THROUGH + ProcessorTime.HTTP2,
                        ProcessorTime.HOP + ProcessorTime.NEW_KEYS,
                        ProcessorTime.PROTECTED + ProcessorTime.NEW_KEYS);
        assertThat(figures.values())
                .allSatisfy(side -> assertThat(side.perSecond()).hasSize(2).allMatch(rate -> rate > 0));
    }

    @Test
    void holds_connections_and_closes_none() throws Exception {
        Holding.Result result = Holding.measure(SHORT, progress::add);

        assertThat(result.closed()).isZero();
        assertThat(result.held().descriptors())
                .isGreaterThanOrEqualTo(result.empty().descriptors() + 35);
    }

    @Test
    void looks_at_what_is_held_after_each_round() {
        assertThat(Soak.measure(SHORT, progress::add))
                .hasSize(3)
                .allSatisfy(usage -> assertThat(usage.heap()).isPositive());
    }
}
