package dev.semel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A systemd unit")
class SystemdUnitsTest {

    static Stream<String> services() throws IOException {
        return named(".service");
    }

    static Stream<String> timers() throws IOException {
        return named(".timer");
    }

    private static Stream<String> named(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(DeployFiles.FOLDER.resolve("systemd"))) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(suffix))
                    .toList();
            assertThat(names).isNotEmpty();
            return names.stream();
        }
    }

    private static UnitFile unit(String name) {
        return UnitFile.of(DeployFiles.read("systemd/" + name));
    }

    @ParameterizedTest
    @MethodSource("services")
    void calls_a_command_that_exists(String name) {
        List<String> line = List.of(unit(name).only("Service", "ExecStart").split(" "));
        int jar = line.indexOf("/opt/semel/semel.jar");

        assertThat(line.get(0)).isEqualTo("/usr/bin/java");
        assertThat(line.get(jar - 1)).isEqualTo("-jar");
        List<String> arguments = line.subList(jar + 1, line.size());
        if (name.contains("@")) {
            assertThat(arguments).containsExactly("%i", "$OPTIONS");
        } else {
            DeployFiles.assertCommand(arguments);
        }
    }

    @ParameterizedTest
    @MethodSource("services")
    void runs_as_a_user_of_its_own_that_can_write_nothing(String name) {
        UnitFile unit = unit(name);

        assertThat(unit.only("Unit", "Description")).startsWith("Semel");
        for (String yes : List.of("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome")) {
            assertThat(unit.only("Service", yes)).as(yes).isEqualTo("yes");
        }
        assertThat(unit.only("Service", "ProtectSystem")).isEqualTo("strict");
        assertThat(unit.only("Service", "CapabilityBoundingSet")).isEmpty();
        assertThat(unit.sections().get("Service").get("EnvironmentFile"))
                .isNotEmpty()
                .allMatch(file -> file.matches("-?/etc/semel/(semel|%i)\\.env"));
    }

    @ParameterizedTest
    @MethodSource("timers")
    void that_is_a_timer_starts_its_service_and_can_be_enabled(String name) {
        UnitFile timer = unit(name);

        assertThat(serviceNames()).contains(name.replace(".timer", ".service"));
        assertThat(timer.only("Timer", "OnCalendar")).isIn("hourly", "*:0/5");
        assertThat(timer.only("Install", "WantedBy")).isEqualTo("timers.target");
        assertThat(unit(name.replace(".timer", ".service")).only("Service", "Type"))
                .isEqualTo("oneshot");
    }

    private static List<String> serviceNames() {
        try {
            return services().toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[Service]\nDynamicUsers=yes",
                "[Servce]\nType=oneshot",
                "Type=oneshot",
                "[Unit]\n[Unit]",
                "[Service]\nType oneshot",
            })
    void is_checked_by_a_reader_that_refuses_what_systemd_would_ignore(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> UnitFile.of(text));
    }

    @Test
    void lists_its_store_in_no_world_readable_file() {
        assertThat(DeployFiles.read("systemd/semel-prune.service"))
                .doesNotContain("\nEnvironment=")
                .doesNotContain("--store");
    }
}
