package dev.semel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.torture.bugs.Bug;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@DisplayName("The command torture")
class TortureTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        CommandLine command = Torture.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(arguments);
    }

    @Test
    void lists_its_options_and_every_bug() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("--minutes", "--store", "--seed", "--bug", "--late-retries", "--logs");
        for (Bug bug : Bug.values()) {
            assertThat(out.toString()).contains(bug.label());
        }
    }

    @Test
    void exits_with_2_when_it_is_used_wrongly() {
        assertThat(execute("--bug", "no-such-bug")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no bug no-such-bug");
        assertThat(execute("--store", "oracle")).isEqualTo(2);
        assertThat(execute("--minutes", "0")).isEqualTo(2);
        assertThat(execute("--minutes", "soon")).isEqualTo(2);
        assertThat(execute("--apps", "0")).isEqualTo(2);
        assertThat(execute("--late-retries", "sometimes")).isEqualTo(2);
        assertThat(execute("--late-retries", "by-time", "--bug", "no-sweeper")).isEqualTo(2);
        assertThat(err.toString()).contains("exclude each other");
    }
}
