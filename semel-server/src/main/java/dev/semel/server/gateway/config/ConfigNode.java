package dev.semel.server.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A mapping of a YAML file, whose fields are read one by one. What is not read in the end is not a field, and every mistake says
 * its line.
 */
public final class ConfigNode {

    private final Source source;
    private final String path;
    private final int line;
    private final Map<String, Node> fields = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final Set<String> known = new TreeSet<>();

    /**
     * A file.
     *
     * @param variables the value of an environment variable; empty when it is not set
     */
    public record Source(String file, Function<String, Optional<String>> variables) {}

    private ConfigNode(Source source, String path, Node node) {
        this.source = source;
        this.path = path;
        this.line = lineOf(node);
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(line, path, "here fields are expected, one to a line, such as 'path: /payments'");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String name = ((ScalarNode) tuple.getKeyNode()).getValue();
            if (fields.put(name, tuple.getValueNode()) != null) {
                throw wrong(lineOf(tuple.getKeyNode()), field(name), "this field is given twice");
            }
            lines.put(name, lineOf(tuple.getKeyNode()));
        }
    }

    public static ConfigNode root(Source source, Node node) {
        return new ConfigNode(source, "", node);
    }

    private static int lineOf(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private String field(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private ConfigException wrong(int atLine, String field, String message) {
        return new ConfigException(source.file(), atLine, field, message);
    }

    /** Where it begins, counted from 1. */
    public int line() {
        return line;
    }

    /** The mistake that this mapping as a whole is. */
    public ConfigException wrong(String message) {
        return wrong(line, path, message);
    }

    /** The mistake that the value of a field is. */
    public ConfigException wrong(String name, String message) {
        return wrong(lines.getOrDefault(name, line), field(name), message);
    }

    public boolean has(String name) {
        known.add(name);
        return fields.containsKey(name);
    }

    public Optional<ConfigNode> mapping(String name) {
        known.add(name);
        return Optional.ofNullable(fields.get(name)).map(node -> new ConfigNode(source, field(name), node));
    }

    public List<ConfigNode> mappings(String name) {
        known.add(name);
        Node node = fields.get(name);
        if (node == null) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong(name, "here a list is expected, each entry with a dash in front");
        }
        List<ConfigNode> all = new ArrayList<>();
        for (Node each : sequence.getValue()) {
            all.add(new ConfigNode(source, field(name) + "[" + all.size() + "]", each));
        }
        return all;
    }

    public Optional<String> text(String name) {
        known.add(name);
        return Optional.ofNullable(fields.get(name)).map(node -> scalar(name, node));
    }

    /** All fields of a mapping whose names are free. */
    Map<String, String> pairs() {
        Map<String, String> pairs = new LinkedHashMap<>();
        fields.forEach((name, node) -> {
            known.add(name);
            pairs.put(name, scalar(name, node));
        });
        return pairs;
    }

    /** A list of texts; a single text is a list of one. */
    public List<String> texts(String name) {
        known.add(name);
        Node node = fields.get(name);
        if (node == null) {
            return List.of();
        }
        return node instanceof SequenceNode sequence
                ? sequence.getValue().stream().map(each -> scalar(name, each)).toList()
                : List.of(scalar(name, node));
    }

    /** The value of a field that a function understands or refuses with an {@link IllegalArgumentException}. */
    public <T> Optional<T> value(String name, Function<String, T> understanding) {
        return text(name).map(text -> understood(name, () -> understanding.apply(text)));
    }

    <T> List<T> values(String name, Function<String, T> understanding) {
        return texts(name).stream()
                .map(text -> understood(name, () -> understanding.apply(text)))
                .toList();
    }

    /** What a supplier makes; what it refuses is a mistake of this field. */
    public <T> T understood(String name, Supplier<T> supplier) {
        try {
            return supplier.get();
        } catch (IllegalArgumentException e) {
            throw wrong(name, String.valueOf(e.getMessage()));
        }
    }

    private String scalar(String name, Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(lineOf(node), field(name), "here a single value is expected");
        }
        return substituted(name, scalar.getValue());
    }

    /** Replaces {@code ${NAME}} by the environment variable, so that secrets need not be in the file. */
    private String substituted(String name, String text) {
        int start = text.indexOf("${");
        if (start < 0) {
            return text;
        }
        int end = text.indexOf('}', start);
        if (end < 0) {
            throw wrong(name, "'${' is never closed; write ${NAME} for the environment variable NAME");
        }
        String variable = text.substring(start + 2, end);
        String value = source.variables()
                .apply(variable)
                .orElseThrow(() -> wrong(name, "the environment variable " + variable + " is not set"));
        return text.substring(0, start) + value + substituted(name, text.substring(end + 1));
    }

    /** Refuses fields that were never asked for. */
    public void requireNoMore() {
        for (String name : fields.keySet()) {
            if (!known.contains(name)) {
                String near = Similar.to(name, known)
                        .map(found -> "; did you mean " + found)
                        .orElse("");
                throw wrong(
                        name, "there is no such field" + near + ". The fields here are " + String.join(", ", known));
            }
        }
    }
}
