package dev.semel.server.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** The schema has exactly the fields that are read, its examples are valid, and its enumerations are those of the reader. */
@DisplayName("The schema of configuration files")
class ConfigSchemaTest {

    private static final String ROOT = "upstream: http://127.0.0.1:1\nscope: shared\n";
    private static final String ROUTES = "routes: [{name: a, path: \"*\"}]\n";
    private static final String RULE = "{pointer: /t, values: [p], answer: 201}";
    private static final String WEBHOOK =
            "path: /w, scheme: github, secrets: 0123456789abcdef, key: /k, fence: /f, happened: [" + RULE + "]";

    @TempDir
    static Path directory;

    private final Map<String, Object> schema = new Yaml().load(ConfigSchema.text());

    @BeforeEach
    void makeCertificates() throws IOException {
        for (String name : List.of("cert.pem", "key.pem", "clients.pem")) {
            Files.writeString(directory.resolve(name), "not read by the parser");
        }
    }

    private static FileConfig parse(String text) {
        return ConfigFile.parse(
                "gateway.yaml",
                text,
                new ConfigFile.Given(null, null, List.of(), JwtConfig.NONE),
                name -> Optional.of("value-of-a-variable"));
    }

    /** A pointer into the schema, and a file whose field {@code bogus} is where those of the schema belong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "                                        | ROOT bogus: 1",
                "properties.tls                          | ROOT tls: {certificate: DIR/cert.pem, key: DIR/key.pem, bogus: 1}",
                "properties.jwt                          | ROOT jwt: {jwks: a, bogus: 1}",
                "properties.replay-check                 | ROOT replay-check: {url: \"http://h/\", bogus: 1}",
                "properties.settle                       | ROOT settle: {bogus: 1}",
                "properties.limits                       | ROOT limits: {bogus: 1}",
                "$defs.route                             | ROUTE bogus: 1",
                "$defs.route.properties.key-rules        | ROUTE key-rules: {bogus: 1}",
                "$defs.route.properties.fingerprint      | ROUTE fingerprint: {bogus: 1}",
                "$defs.route.properties.limits           | ROUTE limits: {bogus: 1}",
                "$defs.route.properties.timeouts         | ROUTE timeouts: {bogus: 1}",
                "$defs.resolver                          | ROUTE resolver: {url: \"http://h/{key}\", happened: [{status: 200, answer: 201}], bogus: 1}",
                "$defs.happened                          | ROUTE resolver: {url: \"http://h/{key}\", happened: [{status: 200, answer: 201, bogus: 1}]}",
                "$defs.rule                              | ROUTE resolver: {url: \"http://h/{key}\", cannot-tell: [{status: 202, bogus: 1}]}",
                "$defs.webhook                           | ROUTE webhook: {WEBHOOK, bogus: 1}",
                "$defs.webhook.properties.reference      | ROUTE webhook: {path: /w, scheme: github, secrets: 0123456789abcdef, reference: {request: /r, event: /e, bogus: 1}}",
                "$defs.event-happened                    | ROUTE webhook: {path: /w, scheme: github, secrets: 0123456789abcdef, key: /k, happened: [{pointer: /t, values: [p], answer: 201, bogus: 1}]}",
                "$defs.event-rule                        | ROUTE webhook: {WEBHOOK, did-not-happen: [{pointer: /t, values: [v], bogus: 1}]}",
            })
    void has_the_fields_that_are_read(String pointer, String file) {
        String text = file.replace("WEBHOOK", WEBHOOK)
                .replace("DIR", directory.toString())
                .replaceFirst("^ROOT ", ROOT + ROUTES)
                .replaceFirst("^ROUTE (.*)$", ROOT + "routes: [{name: a, path: \"*\", $1}]");

        assertThat(fieldsOf(text)).isEqualTo(propertiesOf(at(pointer == null ? "" : pointer)));
    }

    private static Set<String> fieldsOf(String wrong) {
        String marker = "The fields here are ";
        try {
            parse(wrong);
        } catch (ConfigException e) {
            String message = e.getMessage();
            assertThat(message).contains(marker);
            return new TreeSet<>(List.of(
                    message.substring(message.indexOf(marker) + marker.length()).split(", ")));
        }
        throw new AssertionError("a field that does not exist was accepted");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> at(String pointer) {
        Map<String, Object> found = schema;
        for (String segment : pointer.isEmpty() ? new String[0] : pointer.split("\\.")) {
            found = (Map<String, Object>) found.get(segment);
        }
        return found;
    }

    @SuppressWarnings("unchecked")
    private static Set<String> propertiesOf(Map<String, Object> schema) {
        return new TreeSet<>(((Map<String, Object>) schema.get("properties")).keySet());
    }

    @Test
    @SuppressWarnings("unchecked")
    void has_examples_that_are_read() {
        at("$defs.route.properties").forEach((name, value) -> {
            Map<String, Object> property = (Map<String, Object>) value;
            Map<String, Object> fields = new LinkedHashMap<>(Map.of("name", "a", "path", "/**"));
            fields.put(name, exampleOf(property));
            String text = ROOT + "routes:\n  - " + new Yaml().dumpAs(fields, null, DumperOptions.FlowStyle.FLOW);
            assertThat(parse(text).gateway().routes()).as(text).hasSize(1);
        });
    }

    private Object exampleOf(Map<String, Object> property) {
        if (property.get("examples") instanceof List<?> examples) {
            return examples.get(0);
        }
        String reference = String.valueOf(property.get("$ref"));
        return ((List<?>) at("$defs." + reference.substring(reference.lastIndexOf('/') + 1))
                        .get("examples"))
                .get(0);
    }

    @Test
    @SuppressWarnings("unchecked")
    void has_the_enumerations_of_the_reader() {
        at("$defs.route.properties").forEach((name, value) -> {
            Map<String, Object> property = (Map<String, Object>) value;
            if (property.get("enum") instanceof List<?> values) {
                String before = ROOT + "routes: [{name: a, path: \"*\", " + name + ": ";
                values.forEach(
                        each -> assertThat(parse(before + each + "}]").gateway().routes())
                                .hasSize(1));
                assertThatThrownBy(() -> parse(before + "bogus}]")).isInstanceOf(ConfigException.class);
            }
        });
        for (WebhookSigning each : WebhookSigning.values()) {
            assertThat((List<Object>) at("$defs.webhook.properties.scheme").get("enum"))
                    .contains(Values.name(each))
                    .hasSize(WebhookSigning.values().length);
        }
        assertThat((List<Object>) at("$defs.route.properties.send.items").get("enum"))
                .containsExactlyInAnyOrder(Arrays.stream(RouteConfig.Extra.values())
                        .map(Values::name)
                        .toArray());
    }
}
