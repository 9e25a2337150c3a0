package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Fingerprint;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.Semel;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.jdbc.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The snippet in the README")
class ReadmeTest {

    private static final class Bank {
        private int charges;

        String charge(String amount) {
            return "receipt " + ++charges + " for " + amount;
        }
    }

    @Test
    void runs_and_does_what_it_says(@TempDir Path directory) {
        Bank bank = new Bank();
        // snippet
        try (Semel semel =
                SemelEngine.on(SqliteStore.open(directory.resolve("semel.db"))).build()) {
            Operation charge = Operation.named("charge").retention(Retention.PAYMENT);
            Fingerprint meaning = Fingerprinter.sha256().ofText("100 EUR from alice");
            Intent intent = Intent.of(charge, Scope.of("acme"), Key.of("order-42"), meaning);

            Execution<String> first = semel.execute(intent, Codec.text(), attempt -> bank.charge("100 EUR"));
            Execution<String> retry = semel.execute(intent, Codec.text(), attempt -> bank.charge("100 EUR"));
            // end
            assertThat(first).isInstanceOf(Execution.Ran.class);
            assertThat(retry).isEqualTo(new Execution.Replayed<>("receipt 1 for 100 EUR"));
            assertThat(bank.charges).isEqualTo(1);
        }
    }

    @Test
    void is_this_code() throws IOException {
        String readme = words(Files.readString(Path.of("..", "README.md")));
        String source = Files.readString(Path.of("src/test/java/dev/semel/jdbc/ReadmeTest.java"));
        String snippet = source.substring(source.indexOf("// snippet\n") + 11, source.indexOf("// end\n"));
        List<String> statements = List.of(words(snippet)
                .replace("directory.resolve(\"semel.db\")", "Path.of(\"semel.db\")")
                .split("(?<=;)"));
        assertThat(readme).contains(statements);
    }

    /** The text without white space, which the formatter may place otherwise. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
