package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.app.Timing;
import dev.semel.torture.crash.CrashPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The schedule of a run")
class ScheduleTest {

    /** What only some stores have. */
    private static final List<Class<?>> SPECIAL = List.of(
            Fault.MoveShard.class,
            Fault.FlushFront.class,
            Fault.PoisonFront.class,
            Fault.PauseFront.class,
            Fault.KillFront.class);

    private static List<Schedule.Planned> schedule(long seed, Setup.Server server) {
        return Schedule.of(new Setup(seed, Duration.ofMinutes(10), 3, server, Emphasis.USUAL), Timing.USUAL);
    }

    @ParameterizedTest
    @EnumSource(Setup.Server.class)
    void comes_again_with_its_seed(Setup.Server server) {
        assertThat(schedule(7, server)).isEqualTo(schedule(7, server)).isNotEqualTo(schedule(8, server));
    }

    @Test
    void of_clients_comes_again_with_its_seed() {
        for (Emphasis emphasis : Emphasis.values()) {
            assertThat(clients(7, emphasis)).isEqualTo(clients(7, emphasis)).isNotEqualTo(clients(8, emphasis));
        }
    }

    private static List<List<Plan.Client>> clients(long seed, Emphasis emphasis) {
        Plan plan = new Plan(seed, emphasis, "run", Timing.USUAL.briefRetention());
        return IntStream.range(0, 100)
                .mapToObj(number -> plan.clients(number, Instant.parse("2030-01-01T00:00:00Z")))
                .toList();
    }

    @Test
    void has_every_fault_that_a_store_can_have() {
        assertThat(kinds(Setup.Server.SQLITE))
                .containsExactlyInAnyOrder(
                        Fault.Kill.class,
                        Fault.HaltAt.class,
                        Fault.Stop.class,
                        Fault.StopAt.class,
                        Fault.FailVerb.class,
                        Fault.PauseStore.class);
        for (Setup.Server server :
                List.of(Setup.Server.OWN_POSTGRESQL, Setup.Server.OWN_MARIADB, Setup.Server.OWN_REDIS)) {
            assertThat(kinds(server)).containsExactlyInAnyOrderElementsOf(allBut(SPECIAL));
        }
        for (Setup.Server server :
                List.of(Setup.Server.FOREIGN_POSTGRESQL, Setup.Server.FOREIGN_MYSQL, Setup.Server.FOREIGN_REDIS)) {
            assertThat(kinds(server))
                    .doesNotContain(Fault.KillStore.class, Fault.PauseStore.class)
                    .contains(Fault.LoseCommit.class);
        }
        assertThat(kinds(Setup.Server.OWN_TIERED))
                .containsExactlyInAnyOrderElementsOf(allBut(List.of(Fault.MoveShard.class)));
        assertThat(kinds(Setup.Server.OWN_REDIS_CLUSTER))
                .contains(Fault.KillStore.class, Fault.PauseStore.class, Fault.MoveShard.class)
                .doesNotContain(Fault.LoseCommit.class);
        assertThat(kinds(Setup.Server.OWN_CASSANDRA))
                .contains(Fault.KillStore.class, Fault.PauseStore.class)
                .doesNotContain(Fault.LoseCommit.class, Fault.DropConnections.class, Fault.MoveShard.class);
        assertThat(kinds(Setup.Server.FOREIGN_REDIS_CLUSTER))
                .containsExactlyInAnyOrder(
                        Fault.Kill.class,
                        Fault.HaltAt.class,
                        Fault.Stop.class,
                        Fault.StopAt.class,
                        Fault.FailVerb.class);
    }

    private static List<Class<?>> allBut(List<Class<?>> others) {
        List<Class<?>> all = new ArrayList<>(List.of(Fault.class.getPermittedSubclasses()));
        all.removeAll(others);
        return all;
    }

    private static Set<Class<?>> kinds(Setup.Server server) {
        return schedule(1, server).stream()
                .map(planned -> planned.fault().getClass())
                .collect(Collectors.toSet());
    }

    @Test
    void has_a_halt_at_every_named_point() {
        assertThat(schedule(1, Setup.Server.SQLITE).stream()
                        .filter(planned -> planned.fault() instanceof Fault.HaltAt)
                        .map(planned -> ((Fault.HaltAt) planned.fault()).point())
                        .distinct())
                .containsExactlyInAnyOrder(CrashPoint.values());
    }

    @Test
    void leaves_the_promises_their_ground() {
        Timing timing = Timing.USUAL;
        Duration latestEffect = timing.lease().plus(timing.longestStop()).plus(timing.lateCharge());

        assertThat(latestEffect)
                .isLessThan(timing.lease().plus(timing.settleWindow()).minusSeconds(2));
        assertThat(schedule(1, Setup.Server.SQLITE).stream()
                        .filter(planned -> planned.fault() instanceof Fault.Stop)
                        .map(planned -> ((Fault.Stop) planned.fault()).length()))
                .allSatisfy(length -> assertThat(length).isLessThanOrEqualTo(timing.longestStop()));
    }
}
