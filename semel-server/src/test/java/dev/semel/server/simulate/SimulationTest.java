package dev.semel.server.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.semel.server.simulate.Simulation.EngineResult;
import dev.semel.server.simulate.Simulation.Machines;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The simulation of a workload")
class SimulationTest {

    private static final Machines MACHINES = new Machines(16, Map.of(), Map.of());

    private static Workload workload(
            double rate, double retries, double hotRate, Duration retention, double pruneRate) {
        return new Workload(
                rate,
                Duration.ofMillis(200),
                new Workload.Retries(retries, Duration.ofSeconds(2), hotRate),
                new Workload.Kept(retention, 256, 0.3, pruneRate));
    }

    private static Workload ordinary(double rate) {
        return workload(rate, 0.05, 100, Duration.ofHours(24), rate);
    }

    private static EngineResult load(Simulation simulation, String engine) {
        return simulation.loads().stream()
                .filter(load -> load.engine().equals(engine))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void plays_the_work_that_the_formula_says() {
        for (EngineResult load : Simulation.run(ordinary(20_000), MACHINES, 7).loads()) {
            assertThat(load.played()).as(load.engine()).isCloseTo(load.formula(), Percentage.withPercentage(3));
        }
    }

    @Test
    void plays_the_records_that_the_formula_says_where_the_rate_is_constant() {
        Workload constant = new Workload(
                1_000,
                Duration.ofMillis(200),
                new Workload.Retries(0, Duration.ofSeconds(2), 0),
                new Workload.Kept(Duration.ofDays(2), 256, 1, 2_000));

        Simulation simulation = Simulation.run(constant, MACHINES, 7);

        assertThat(simulation.population().formula()).isEqualTo(172_800_000);
        assertThat(simulation.population().played()).isCloseTo(172_800_000, Percentage.withPercentage(1));
        assertThat(simulation.population().waitForPruning()).isZero();
    }

    @Test
    void counts_every_call_once() {
        Simulation simulation = Simulation.run(workload(5_000, 1, 0, Duration.ofHours(1), 5_000), MACHINES, 7);

        assertThat(simulation.counts().replays()).isEqualTo(simulation.counts().claims());
        // A client that asks after 2 s on average meets an operation of 0.2 s in progress once in eleven times.
        assertThat((double) simulation.counts().busy() / simulation.counts().claims())
                .isCloseTo(1 / 11.0, within(0.03));
    }

    @Test
    void the_same_seed_plays_the_same_calls() {
        assertThat(Simulation.run(ordinary(3_000), MACHINES, 4).toString())
                .isEqualTo(Simulation.run(ordinary(3_000), MACHINES, 4).toString())
                .isNotEqualTo(Simulation.run(ordinary(3_000), MACHINES, 5).toString());
    }

    @Test
    void a_hot_key_is_throttled_where_its_partition_is_full() {
        Simulation simulation = Simulation.run(workload(3_000, 0.05, 1_500, Duration.ofHours(24), 3_000), MACHINES, 7);

        assertThat(load(simulation, "dynamodb").risk()).isEqualTo("the hot key is throttled");
        assertThat(load(simulation, "dynamodb").hottest()).isGreaterThan(1.5);
        assertThat(load(simulation, "postgresql").risk()).isEqualTo("low");
    }

    @Test
    void a_unit_that_can_do_less_is_needed_more_often() {
        Workload workload = workload(20_000, 0, 0, Duration.ofMinutes(5), 20_000);
        int units = load(Simulation.run(workload, MACHINES, 7), "cassandra").units();

        Machines slower = new Machines(16, Map.of("cassandra", 500.0), Map.of());

        assertThat(units).isEqualTo(80);
        assertThat(load(Simulation.run(workload, slower, 7), "cassandra").units())
                .isEqualTo(160);
        assertThat(load(Simulation.run(workload, MACHINES, 7), "cassandra").sizedBy())
                .isEqualTo("work");
    }

    @Test
    void larger_records_need_more_space_and_more_write_units() {
        Workload small = ordinary(1_000);
        Workload large = new Workload(
                1_000, small.running(), small.retries(), new Workload.Kept(Duration.ofHours(24), 3_000, 0.3, 1_000));

        EngineResult few = load(Simulation.run(small, MACHINES, 7), "dynamodb");
        EngineResult many = load(Simulation.run(large, MACHINES, 7), "dynamodb");

        // 800 bytes of the record with 256 or 3,000 of the response: 2 and 4 units of a kilobyte.
        assertThat(many.formula() / few.formula()).isEqualTo(2);
        assertThat(many.bytes()).isGreaterThan(few.bytes() * 3);
    }

    @Test
    void says_when_pruning_cannot_keep_up() {
        Simulation keepsUp = Simulation.run(workload(1_000, 0, 0, Duration.ofHours(6), 800), MACHINES, 7);
        Simulation falls = Simulation.run(workload(1_000, 0, 0, Duration.ofHours(6), 500), MACHINES, 7);

        // On average 650 a second expire: 800 are enough over the day, and leave some waiting at noon.
        assertThat(keepsUp.population().withoutEnd()).isFalse();
        assertThat(keepsUp.population().waitForPruning()).isPositive();
        assertThat(falls.population().withoutEnd()).isTrue();
        assertThat(falls.population().waitForPruning())
                .isGreaterThan(keepsUp.population().waitForPruning());
    }
}
