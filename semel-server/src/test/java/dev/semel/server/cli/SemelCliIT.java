package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command line as a program")
class SemelCliIT {

    @TempDir
    Path directory;

    @Test
    void takes_the_store_from_the_environment() throws Exception {
        SqliteStore.open(directory.resolve("semel.db")).close();
        Process prune = program("sqlite:" + directory.resolve("semel.db"), "prune");

        assertThat(outputOf(prune)).isEqualToIgnoringNewLines("Deleted 0 records");
        assertThat(prune.waitFor()).isZero();
    }

    @Test
    void exits_with_2_when_it_is_used_wrongly_and_with_1_when_there_is_no_such_store() throws Exception {
        assertThat(program("", "prune").waitFor()).isEqualTo(2);
        assertThat(program("sqlite:" + directory.resolve("none.db"), "prune").waitFor())
                .isEqualTo(1);
    }

    private static Process program(String store, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SemelCli.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SEMEL_STORE", store);
        return builder.start();
    }

    private static String outputOf(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
