package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("semel simulate")
class SimulateCommandTest {

    @Test
    void prints_a_row_for_each_engine() {
        Invocation played = Invocation.of("simulate", "--rate", "1000", "--retention", "7d");

        assertThat(played.status()).isZero();
        assertThat(played.out())
                .startsWith("Played 10 s of the busiest time, seed 1: ")
                .contains("Records: 393 M at most, 393 M by formula; of these 0 waited to be pruned.")
                .contains("postgresql", "redis", "dynamodb", "dynamodb-index", "cassandra")
                .contains("RISK", "low", "an assumption, measure yours");
    }

    @Test
    void prints_json_and_takes_figures_of_the_users_own() {
        Invocation played = Invocation.of(
                "simulate",
                "--rate=2000",
                "--json",
                "--limit=cassandra=100",
                "--bytes=cassandra=2000",
                "--retention=1h");

        assertThat(played.status()).isZero();
        assertThat(played.out().lines()).hasSize(5).allMatch(line -> line.startsWith("{\"engine\":\""));
        assertThat(played.out()).contains("\"engine\":\"cassandra\",\"unit\":\"node\",\"units\":84");
    }

    @Test
    void says_that_pruning_cannot_keep_up() {
        assertThat(Invocation.of("simulate", "--rate", "100", "--prune-rate", "10")
                        .out())
                .contains("Pruning cannot keep up");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simulate|Missing required option: '--rate=N'",
                "simulate --rate 0|the rate is 0.0, it must be between 1 and 1000000",
                "simulate --rate 10 --retries 120|the share of retries is 1.2, it must be between 0 and 1",
                "simulate --rate 10 --retention soon|Invalid value for option '--retention': 'soon' is no duration such as 90m, 24h or 7d",
                "simulate --rate 10 --limit paper=4|no engine is called 'paper'",
                "simulate --rate 10 --bytes redis=0|the figure of redis is 0.0, it must be positive",
                "simulate --rate 10 --cores 0|a machine has 0 cores, it must be between 1 and 1024"
            })
    void names_what_is_wrong(String line, String reason) {
        Invocation wrong = Invocation.of(line.split(" "));

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).startsWith("semel: " + reason).hasLineCount(2);
    }
}
