package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@DisplayName("An application that cannot use its store")
@ExtendWith(OutputCaptureExtension.class)
class StoreFailureAnalyzerTest {

    /** Without a stereotype: the applications of other tests scan this package. */
    @EnableAutoConfiguration
    static class Application {}

    @Test
    void says_why_and_what_to_do_in_place_of_a_stack_trace(@TempDir Path directory, CapturedOutput output) {
        Path file = directory.resolve("semel.db");

        assertThatThrownBy(() -> RunningApplication.plain(
                        Application.class, "semel.store=sqlite:" + file + "?schemaMode=validate"))
                .hasRootCauseInstanceOf(StoreException.class);

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("The store that idempotency records are kept in cannot be used:")
                .contains("there is no file " + file + "; schemaMode=create would create it")
                .contains("To keep records elsewhere, set the property semel.store.")
                .doesNotContain("\tat dev.semel");
    }
}
