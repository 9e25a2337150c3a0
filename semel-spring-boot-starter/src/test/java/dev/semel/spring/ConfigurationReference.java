package dev.semel.spring;

import dev.semel.spring.Metadata.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Writes {@code docs/reference/configuration.md}: what the metadata says, in the order in which a reader asks. */
final class ConfigurationReference {

    static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

    private static final Path SOURCE =
            Path.of("../semel-spring-boot-starter/src/main/java/dev/semel/spring/SemelProperties.java");
    private static final String DEFAULTS = "semel.defaults.";
    private static final String OPERATION = "semel.operations.NAME.";

    /** Maps, whose values are described under their own headings. */
    private static final List<String> MAPS = List.of("semel.operations", "semel.webhooks");

    private static final String HEAD = """
            # Configuration

            Every property of the starters, the same for Spring Boot 3.5 and 4.1. None is required. The application does not start
            with a property that does not exist, a value that makes no sense, or settings that contradict each other; the message
            names the property, its value and what would be right.

            This page is made from the metadata that editors complete and describe properties with. After a change of the
            properties, write it anew:

            ```
            mvn -pl semel-spring-boot-starter -am -Dquick test -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dreference.write=true
            ```

            A duration is written as `10s`, `24h` or `2d`, a size as `512KB` or `1MB`, a list with commas or as in YAML.
            `bean:NAME` is a bean of the application; `class:NAME` is the full name of a class that has a constructor without
            arguments.
            """;

    private final Map<String, Property> left = new LinkedHashMap<>(Metadata.properties());
    private final StringBuilder page = new StringBuilder(HEAD);

    static String text() {
        return new ConfigurationReference().write();
    }

    private String write() {
        MAPS.forEach(left::remove);
        section(
                "Where records are kept",
                "[Stores](stores.md) explains it, and [pools and time-outs](stores.md#pools-and-time-outs);"
                        + " [Redis](redis.md) and [DynamoDB](dynamodb.md) are set by parameters of the URI.",
                "semel.enabled",
                "semel.store",
                "semel.data-source",
                "semel.jdbc.",
                "semel.tier",
                "semel.near-cache.");
        operations();
        section(
                "Requests",
                "[The HTTP contract](http.md) says what they mean.",
                "semel.unmatched",
                "semel.unprotected",
                "semel.http.");
        section(
                "Secrets",
                "[Keep secrets out of keys and records](../how-to/protect-keys.md).",
                "semel.keys",
                "semel.explanation-secret",
                "semel.downstream-secret",
                "semel.encryption.",
                "semel.fingerprints.");
        section(
                "Daemons and health",
                "They run in every instance and share the work.",
                "semel.reconciler.",
                "semel.pruning.",
                "management.health.");
        section("Console", "[The console](../how-to/console.md), in servlet applications.", "semel.console.");
        section(
                "Messages",
                "[Messages and webhooks with Spring Boot](../how-to/messaging-spring.md); they need the module semel-messaging.",
                "semel.inbox.");
        webhooks();
        if (!left.isEmpty()) {
            throw new AssertionError("no section of the page has " + left.keySet());
        }
        api();
        return page.toString();
    }

    private void section(String heading, String about, String... prefixes) {
        heading(heading, about);
        for (String prefix : prefixes) {
            taken(prefix).forEach(property -> row(property.name(), property));
        }
    }

    private List<Property> taken(String prefix) {
        List<Property> properties = left.values().stream()
                .filter(property -> property.name().startsWith(prefix))
                .toList();
        properties.forEach(property -> left.remove(property.name()));
        return properties;
    }

    private void operations() {
        heading(
                "Operations",
                "`semel.operations.NAME.…` for one operation, `semel.defaults.…` for all that do not set it; `match` and"
                        + " `may-be-unused` have no default for all.\n[examples/policies](../../examples/policies) shows them"
                        + " at work.");
        Map<String, Property> own = taken(DEFAULTS).stream()
                .collect(Collectors.toMap(
                        property -> property.name().substring(DEFAULTS.length()), property -> property));
        // In the order of the record, which goes from what is set most to what is set least.
        for (String name : components("", OperationProperties.class)) {
            Property property = own.remove(name);
            if (property == null) {
                throw new AssertionError("the metadata lacks " + DEFAULTS + name);
            }
            row(OPERATION + name, property);
        }
        if (!own.isEmpty()) {
            throw new AssertionError("no operation has " + own.keySet());
        }
    }

    private static List<String> components(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + kebab(component.getName());
            if (component.getType().isRecord()) {
                names.addAll(components(name + ".", component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    /** Spring describes no values of maps, so these come from the same comments by another way. */
    private void webhooks() {
        heading("Webhooks", "For each sender; [what is verified](../how-to/webhooks.md).");
        Map<String, String> meanings = meaningsOf("WebhookProperties");
        for (Parameter component :
                SemelProperties.WebhookProperties.class.getDeclaredConstructors()[0].getParameters()) {
            DefaultValue value = component.getAnnotation(DefaultValue.class);
            String meaning = meanings.get(component.getName());
            if (meaning == null) {
                throw new AssertionError("WebhookProperties says nothing about " + component.getName());
            }
            String name = "semel.webhooks.NAME." + kebab(component.getName());
            row(
                    name,
                    new Property(
                            name,
                            component.getType().getName(),
                            value == null ? "" : String.join(",", value.value()),
                            meaning));
        }
    }

    private static Map<String, String> meaningsOf(String type) {
        String source;
        try {
            source = Files.readString(SOURCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String before = source.substring(0, source.indexOf("public record " + type));
        String comment = before.substring(before.lastIndexOf("/**")).replaceAll("\\s+\\*/?\\s*", " ");
        Map<String, String> meanings = new LinkedHashMap<>();
        Matcher matcher = Pattern.compile("@param (\\w+) (.*?)(?= @param| *$)").matcher(comment.strip());
        while (matcher.find()) {
            meanings.put(matcher.group(1), matcher.group(2).strip());
        }
        return meanings;
    }

    private void api() {
        page.append("\n## Java and properties\n\n");
        page.append("What code sets without the starter, and the property that sets the same.\n\n");
        page.append("| Java | property | remark |\n|---|---|---|\n");
        for (ApiTable.Row row : ApiTable.rows()) {
            page.append("| `").append(row.java()).append("` | ");
            page.append(
                    row.properties().isEmpty()
                            ? "none"
                            : row.properties().stream()
                                    .map(name -> "`" + name + "`")
                                    .collect(Collectors.joining(", ")));
            page.append(" | ").append(row.remark()).append(" |\n");
        }
    }

    private void heading(String heading, String about) {
        page.append("\n## ").append(heading).append("\n\n").append(about).append("\n\n");
        page.append("| property | value | default | means |\n|---|---|---|---|\n");
    }

    private void row(String name, Property property) {
        page.append("| `").append(name).append("` | ");
        page.append(kindOf(property.type())).append(" | ");
        page.append(property.value().isEmpty() ? "" : "`" + property.value() + "`");
        page.append(" | ").append(property.meaning().replace("|", "\\|")).append(" |\n");
    }

    private static String kindOf(String type) {
        String plain = type.replaceAll("java\\.(lang|util|net|time)\\.|org\\.springframework\\.util\\.unit\\.", "");
        return switch (plain) {
            case "String" -> "text";
            case "Boolean", "boolean" -> "true, false";
            case "Integer", "int" -> "number";
            case "Duration" -> "duration";
            case "DataSize" -> "size";
            case "URI" -> "URL";
            case "List<String>" -> "list";
            case "Set<Integer>" -> "list of numbers";
            case "Map<String,String>" -> "text by id";
            default -> constants(type);
        };
    }

    private static String constants(String type) {
        try {
            Object[] constants = Class.forName(type).getEnumConstants();
            if (constants == null) {
                throw new AssertionError("the page has no word for the type " + type);
            }
            return Arrays.stream(constants)
                    .map(constant ->
                            constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(", "));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
