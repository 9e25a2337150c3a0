package dev.semel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.conformance.ScenarioFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("semel conformance-server")
class ConformanceServerCommandTest {

    @Test
    void prints_the_scenarios_and_starts_nothing() {
        Invocation printed = Invocation.of("conformance-server", "--scenarios");
        assertThat(printed.status()).isZero();
        assertThat(printed.out()).isEqualTo(ScenarioFile.text());
    }

    @Test
    void says_where_it_listens_and_what_was_not_run() {
        Invocation run = Invocation.of("conformance-server", "--listen", "127.0.0.1:0", "--timeout", "PT0.1S");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out())
                .startsWith("Semel conformance server is ready: http://127.0.0.1:")
                .contains("not_run  first-answer")
                .contains(" not run");
        assertThat(run.err())
                .contains("the client has not finished within PT0.1S")
                .contains("POST /conformance/finish");
    }

    @Test
    void refuses_an_address_that_is_none() {
        Invocation wrong = Invocation.of("conformance-server", "--listen", "here");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("--listen: 'here' is no address to listen on");
    }
}
