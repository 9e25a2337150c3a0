package dev.semel.examples.orderflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The order flow as a program")
class OrderFlowMainIT {

    @Test
    @Timeout(180)
    void prints_the_address_of_its_database() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrderFlowMain.class.getName(),
                        "--port",
                        "0",
                        "--mail-port",
                        "0")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = program.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder said = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                if (line.startsWith("Ctrl-C")) {
                    break;
                }
            }
            Matcher database =
                    Pattern.compile("Its database is (postgresql://\\S+)\\. ").matcher(said);
            assertThat(database.find()).as(said.toString()).isTrue();
            assertThat(said).contains("./semel keys show --store " + database.group(1) + " acme order-1");
            try (Store store = Stores.open(database.group(1) + "?schemaMode=validate")) {
                assertThat(store).isNotNull();
            }
        } finally {
            program.destroy();
            program.waitFor();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port=99999 | --port is 99999, it must be between 0 and 65535",
                "--mail-port=-1 | --mail-port is -1, it must be between 0 and 65535",
                "--database=postgresql://host:99999/db | --database: postgresql: has a port that is not between",
                "--database=sqlite:a.db | --database: the outbox needs PostgreSQL",
                "--bogus | Unknown option: '--bogus'",
            })
    void refuses_a_wrong_option_in_one_line_before_it_starts_any_server(String option, String message) {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            assertThat(OrderFlowMain.run(option)).isEqualTo(2);
        } finally {
            System.setErr(before);
        }
        // The launcher keeps SLF4J quiet.
        assertThat(err.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("SLF4J")))
                .singleElement()
                .asString()
                .startsWith("semel order-flow: " + message);
    }
}
