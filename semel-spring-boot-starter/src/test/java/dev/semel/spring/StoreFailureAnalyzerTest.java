package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
    void explains_why_and_what_to_do_instead_of_a_stack_trace(@TempDir Path directory, CapturedOutput output) {
        Path file = directory.resolve("semel.db");

        assertThatThrownBy(() -> RunningApplication.plain(
                        Application.class, "semel.store=sqlite:" + file + "?schemaMode=validate"))
                .hasRootCauseInstanceOf(StoreException.class);

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("The store of idempotency records cannot be used:")
                .contains("there is no file " + file + ": it is not created yet; schemaMode=create would create it")
                .contains("To use another store, set the property semel.store.")
                .doesNotContain("\tat dev.semel");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "semel.store=oracle://ann:hunter2@host/app",
                "semel.store=redis://ann:hunter2@host:port",
                "semel.store=redis://hunter2@host",
                "semel.store=postgresql://ann:hunter2@host/app?lanes=many",
                "semel.tier=redis://ann:hunter2@host:port",
            })
    void never_shows_a_password(String property, CapturedOutput output) {
        assertThatThrownBy(() -> RunningApplication.plain(Application.class, "semel.store=memory:", property))
                .hasRootCauseInstanceOf(StoreException.class);

        assertThat(output.getAll())
                .contains("the value of the property " + property.substring(0, property.indexOf('=')) + " is wrong: ")
                .doesNotContain("hunter2");
    }
}
