package dev.semel.server.check.subject;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Makes values that a schema of an OpenAPI description allows. An example in the description wins over everything else. */
final class ExampleBodies {

    private static final int DEEPEST = 12;
    private static final Map<String, String> FORMATS = Map.of(
            "uuid", "{{uuid}}",
            "date", "2026-01-31",
            "date-time", "2026-01-31T12:00:00Z",
            "time", "12:00:00Z",
            "email", "semel-check@example.com",
            "uri", "https://example.com/",
            "hostname", "example.com",
            "ipv4", "192.0.2.1",
            "byte", "c2VtZWw=");

    private final Function<SourceNode, SourceNode> resolve;

    /** @param resolve follows a {@code $ref} */
    ExampleBodies(Function<SourceNode, SourceNode> resolve) {
        this.resolve = resolve;
    }

    Object of(SourceNode schema) {
        return of(schema, 0);
    }

    private Object of(SourceNode given, int depth) {
        SourceNode schema = resolve.apply(given);
        Optional<SourceNode> stated = schema.get("example")
                .or(() -> schema.get("const"))
                .or(() -> schema.get("default"))
                .or(() -> first(schema, "examples"))
                .or(() -> first(schema, "enum"));
        if (stated.isPresent()) {
            return stated.get().value();
        }
        if (schema.get("allOf").isPresent()) {
            return merged(schema, depth);
        }
        Optional<SourceNode> choice = first(schema, "oneOf").or(() -> first(schema, "anyOf"));
        if (choice.isPresent() && depth < DEEPEST) {
            return of(choice.get(), depth + 1);
        }
        return switch (type(schema)) {
            case "object" -> object(schema, depth);
            case "array" ->
                depth < DEEPEST && schema.get("items").isPresent()
                        ? List.of(of(schema.get("items").get(), depth + 1))
                        : List.of();
            case "integer" -> number(schema);
            case "number" -> number(schema);
            case "boolean" -> true;
            default -> text(schema);
        };
    }

    private static Optional<SourceNode> first(SourceNode schema, String name) {
        return schema.get(name).flatMap(list -> list.elements().stream().findFirst());
    }

    /** In OpenAPI 3.1 a list of types may stand where 3.0 has one. */
    private static String type(SourceNode schema) {
        String type = schema.text("type")
                .or(() -> schema.get("type")
                        .flatMap(types -> types.elements().stream()
                                .map(SourceNode::text)
                                .filter(each -> !each.equals("null"))
                                .findFirst()))
                .orElse("");
        return type.isEmpty() && schema.get("properties").isPresent() ? "object" : type;
    }

    private Object merged(SourceNode schema, int depth) {
        Map<Object, Object> all = new LinkedHashMap<>();
        List<SourceNode> parts =
                new ArrayList<>(schema.get("allOf").orElseThrow().elements());
        for (SourceNode part : parts) {
            if (depth < DEEPEST && of(part, depth + 1) instanceof Map<?, ?> members) {
                all.putAll(members);
            }
        }
        if (schema.get("properties").isPresent()) {
            all.putAll(object(schema, depth));
        }
        return all;
    }

    private Map<Object, Object> object(SourceNode schema, int depth) {
        Set<String> required = Set.copyOf(schema.get("required").stream()
                .flatMap(list -> list.elements().stream())
                .map(SourceNode::text)
                .toList());
        Map<Object, Object> object = new LinkedHashMap<>();
        Map<String, SourceNode> properties =
                schema.get("properties").map(SourceNode::members).orElse(Map.of());
        properties.forEach((name, property) -> {
            SourceNode resolved = resolve.apply(property);
            boolean wanted = required.contains(name)
                    || required.isEmpty()
                    || resolved.get("example").isPresent();
            boolean readOnly = resolved.text("readOnly").orElse("").equals("true");
            if (wanted && !readOnly && depth < DEEPEST) {
                object.put(name, of(property, depth + 1));
            }
        });
        return object;
    }

    private static Object number(SourceNode schema) {
        return schema.get("minimum")
                .map(SourceNode::value)
                .filter(Number.class::isInstance)
                .orElse(1L);
    }

    private static String text(SourceNode schema) {
        String format = FORMATS.get(schema.text("format").orElse(""));
        if (format != null) {
            return format;
        }
        int shortest = schema.text("minLength")
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::parseInt)
                .orElse(0);
        int longest = schema.text("maxLength")
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::parseInt)
                .orElse(9999);
        String text = "semel-check" + "x".repeat(Math.max(0, shortest - "semel-check".length()));
        return text.substring(0, Math.min(longest, text.length()));
    }
}
