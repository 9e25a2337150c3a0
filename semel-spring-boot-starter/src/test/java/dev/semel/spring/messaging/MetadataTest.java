package dev.semel.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The metadata of properties")
class MetadataTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "semel.inbox.group",
                "semel.inbox.operation",
                "semel.inbox.max-attempts",
                "semel.inbox.redelivery-pause",
                "semel.inbox.jms.dead-letter-queue",
                "semel.webhooks"
            })
    void describes_each_property_of_messaging(String property) throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonNode properties =
                    new JsonMapper().readTree(Objects.requireNonNull(in)).path("properties");
            assertThat(properties
                            .valueStream()
                            .filter(described ->
                                    described.path("name").asString().equals(property))
                            .map(described -> described.path("description").asString("")))
                    .hasSize(1)
                    .allSatisfy(description -> assertThat(description).isNotEmpty());
        }
    }
}
