package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Unknown outcomes in SQLite, on the command line,")
class SqliteUnknownTest extends UnknownCommands {

    @TempDir
    Path directory;

    @Override
    String uri() {
        return "sqlite:" + directory.resolve("semel.db");
    }

    @Test
    void says_that_nothing_asks_where_the_next_try_is_overdue() throws SQLException {
        becomeTaken("acme", "k1", "charge");
        becomeTaken("acme", "k2", "refund");
        try (Connection connection = DriverManager.getConnection("jdbc:" + uri());
                Statement statement = connection.createStatement()) {
            // Ten minutes back, in the microseconds of the store: five before now.
            statement.execute("UPDATE semel_record SET next_try_at = next_try_at - 600000000 WHERE key = 'k2'");
        }

        assertThat(Invocation.of("unknown", "show", "--store", uri(), "acme", "k2")
                        .out())
                .contains("The reconciler has stopped trying (due for 5m")
                .contains("no resolver is configured for refund any more, or its reconciler does not run")
                .doesNotContain("tries again");
        assertThat(Invocation.of("unknown", "list", "--store", uri()).out())
                .contains(
                        "refund: 1 overdue: no resolver is configured for this operation, or its reconciler does not run")
                .doesNotContain("charge: 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    unknown list --limit 0                                              | --limit is 0
                    unknown show acme                                                   | KEY
                    unknown requeue acme k1                                             | --reason
                    unknown requeue acme k1 --reason=                                   | --reason is empty
                    unknown requeue acme k1 --reason r --by=                            | --by
                    unknown resolve acme k1 --reason r                                  | --completed or --not-executed
                    unknown resolve acme k1 --reason r --completed --not-executed       | --completed or --not-executed
                    unknown resolve acme k1 --completed --status 200                    | --reason
                    unknown resolve acme k1 --reason r --completed                      | --status
                    unknown resolve acme k1 --reason r --completed --status 99          | --status is 99
                    unknown resolve acme k1 --reason r --completed --status 200 --header X    | --header
                    unknown resolve acme k1 --reason r --completed --status 200 --header Set-Cookie:a=b | never replayed
                    unknown resolve acme k1 --reason r --completed --status 200 --body a --body-file b  | --body-file
                    unknown resolve acme k1 --reason r --completed --status 200 --body-file none/b      | cannot be read
                    unknown resolve acme k1 --reason r --not-executed --status 200      | leave --status
                    unknown resolve acme k1 --reason r --not-executed --retention 0s    | is not positive
                    unknown resolve acme k1 --reason r --not-executed --retention soon  | 90m, 24h or 7d
                    """)
    void a_wrong_command_line_is_reported_with_one_line_and_a_hint(String line, String named) {
        Invocation wrong = Invocation.of((line + " --store " + uri()).split(" +"));

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).startsWith("semel: ").hasLineCount(2).contains(named, "--help'");
    }
}
