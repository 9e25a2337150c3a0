package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.sqlite.SqliteStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void exits_with_2_for_a_wrong_command_line_and_with_1_for_a_missing_store() throws Exception {
        assertThat(program("", "prune").waitFor()).isEqualTo(2);
        assertThat(program("sqlite:" + directory.resolve("none.db"), "prune").waitFor())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dance --help | unknown command 'dance'; the commands are demo, policies, order-flow, trip, accounts, federation, keys",
                "dokter | unknown command 'dokter'; did you mean doctor?",
                "prnue --help | unknown command 'prnue'; did you mean prune?",
                "help dance | unknown command 'dance'",
                "--bogus | unknown option '--bogus'; './semel --help' lists all commands",
                "policies --bogus | unknown option '--bogus'; usage: ./semel policies [--server.port=N]",
                "policies --server.port=99999 | --server.port is 99999, it must be between 0 and 65535",
                "policies --server.port=many | --server.port is 'many', it must be between 0 and 65535",
            })
    void the_launcher_refuses_unknown_arguments_in_one_line_and_builds_nothing(String line, String message)
            throws Exception {
        Process launched = launcher(line);

        assertThat(new String(launched.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("semel: " + message)
                .hasLineCount(1);
        assertThat(outputOf(launched)).isEmpty();
        assertThat(launched.waitFor()).isEqualTo(2);
    }

    @Test
    void the_launcher_lists_its_commands() throws Exception {
        Process help = launcher("--help");

        assertThat(outputOf(help))
                .contains(
                        "demo",
                        "unknown    list unknown outcomes",
                        "postgresql, mysql, mariadb, sqlite, dynamodb or cassandra",
                        "redis");
        assertThat(help.waitFor()).isZero();
    }

    private static Process launcher(String line) throws IOException {
        List<String> command = new ArrayList<>(List.of("./semel"));
        command.addAll(List.of(line.split(" ")));
        return new ProcessBuilder(command).directory(new File("..")).start();
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
