package dev.semel.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The properties as Spring's configuration metadata of this module describes them, for editors. */
final class Metadata {

    private static final Path FILE = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");

    private Metadata() {}

    /**
     * A described property.
     *
     * @param value the default, as it would be written; empty without one
     */
    record Property(String name, String type, String value, String meaning) {}

    /** All properties of this project, by their names; without those that Spring Boot gives to every endpoint. */
    static Map<String, Property> properties() {
        JsonNode root;
        try {
            root = new JsonMapper().readTree(Files.readString(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Property> properties = new TreeMap<>();
        for (JsonNode node : root.path("properties")) {
            String name = node.path("name").asString();
            if (!name.startsWith("management.endpoint.")) {
                properties.put(
                        name,
                        new Property(
                                name,
                                node.path("type").asString(""),
                                value(node.path("defaultValue")),
                                node.path("description").asString("")));
            }
        }
        return properties;
    }

    private static String value(JsonNode value) {
        if (value.isArray()) {
            return String.join(",", value.valueStream().map(JsonNode::asString).toList());
        }
        return value.isMissingNode() ? "" : value.asString();
    }
}
