package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootVersion;

@DisplayName("A starter")
class StarterTest {

    @ParameterizedTest
    @CsvSource({
        "BOOT_3, 3.5.0",
        "BOOT_3, 3.5.16",
        "BOOT_4, 4.1.1",
        "BOOT_4, 4.2.0-SNAPSHOT",
    })
    void accepts_the_versions_that_it_is_made_for(Starter starter, String version) {
        assertThat(starter.refusal(version)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "BOOT_3, 4.1.1, semel-spring-boot3-starter, semel-spring-boot-starter",
        "BOOT_4, 3.5.16, semel-spring-boot-starter, semel-spring-boot3-starter",
    })
    void names_the_other_starter_where_that_is_the_right_one(
            Starter starter, String version, String wrong, String right) {
        assertThat(starter.refusal(version))
                .contains(wrong + " does not support Spring Boot " + version + ": depend on dev.semel:" + right
                        + " instead.");
    }

    @ParameterizedTest
    @CsvSource({"BOOT_3, 3.4.5", "BOOT_4, 4.0.9", "BOOT_4, 2.7.18", "BOOT_3, 5.0.0", "BOOT_4, unknown"})
    void names_the_supported_versions_where_neither_is(Starter starter, String version) {
        assertThat(starter.refusal(version))
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .contains("does not support Spring Boot " + version)
                        .endsWith(
                                ": use Spring Boot 3.5 with dev.semel:semel-spring-boot3-starter, or Spring Boot 4.1 or"
                                        + " newer with dev.semel:semel-spring-boot-starter."));
    }

    @Test
    void is_the_one_for_the_version_that_these_tests_run_on() {
        assertThat(ThisStarter.STARTER.refusal(SpringBootVersion.getVersion())).isEmpty();
    }
}
