package dev.semel.examples.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A trip of several steps")
class TripIT {

    @TempDir
    Path directory;

    @ParameterizedTest(name = "killed {0} {1}")
    @CsvSource({"before, flight", "in, flight", "before, hotel", "in, hotel", "before, mail", "in, mail"})
    void has_each_effect_once_although_it_was_killed(String where, String step) throws Exception {
        Path out = directory.resolve("killed.out");
        Process killed = start(out, where, step);
        await().atMost(Duration.ofMinutes(2))
                .until(() -> Files.readString(out).contains("Stopped " + where + " " + step));
        killed.destroyForcibly().waitFor();

        String booked = run("again.out");

        assertThat(booked).contains("Booked: flight-1, room-1\n");
        assertThat(booked.contains("In doubt")).isEqualTo(step.equals("mail"));
        assertEachOnce();
        assertThat(run("once-more.out")).isEqualTo("Booked: flight-1, room-1\n");
        assertEachOnce();
    }

    @Test
    void survives_a_kill_at_every_point_in_turn() throws Exception {
        int number = 0;
        for (String place : List.of("before flight", "in flight", "before hotel", "in hotel", "in mail")) {
            Path out = directory.resolve("killed-" + number++);
            String[] words = place.split(" ");
            Process killed = start(out, words[0], words[1]);
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.readString(out).contains("Stopped " + place));
            killed.destroyForcibly().waitFor();
        }

        assertThat(run("at-last.out")).contains("Booked: flight-1, room-1\n");
        assertEachOnce();
    }

    private void assertEachOnce() throws IOException {
        for (String books : List.of("airline", "hotel", "outbox")) {
            assertThat(Files.readAllLines(directory.resolve(books))).as(books).hasSize(1);
        }
    }

    private String run(String name) throws Exception {
        Path out = directory.resolve(name);
        Process process = start(out);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(out);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private Process start(Path out, String... stop) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                TripMain.class.getName(),
                directory.toString(),
                "trip-1"));
        command.addAll(List.of(stop));
        return new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
    }
}
