package dev.semel.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.TimeValue;

@DisplayName("The engine suite")
class EngineSuiteTest {

    @Test
    void runs_benchmarks_in_another_virtual_machine_and_says_what_they_take_and_allocate() {
        List<String> progress = new ArrayList<>();

        List<EngineRow> rows = EngineSuite.run(KeyHeaderBenchmark.class, TimeValue.milliseconds(20), progress::add);

        assertThat(progress).containsExactly("engine: KeyHeaderBenchmark");
        assertThat(rows).extracting(EngineRow::benchmark).containsExactly("KeyHeader.bareKey", "KeyHeader.quotedKey");
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.microsPerOp()).isPositive();
            assertThat(row.bytesPerOp()).isPositive();
        });
    }

    @Test
    void executes_and_replays() {
        ExecuteBenchmark benchmark = new ExecuteBenchmark();
        benchmark.start();

        assertThat(benchmark.executeNewKey()).isInstanceOf(dev.semel.Execution.Ran.class);
        assertThat(benchmark.replay()).isInstanceOf(dev.semel.Execution.Replayed.class);
        benchmark.stop();
    }
}
