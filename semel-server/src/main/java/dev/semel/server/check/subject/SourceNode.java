package dev.semel.server.check.subject;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A value of a YAML or JSON file, with the line it begins at. */
final class SourceNode {

    private static final int MOST_CODE_POINTS = 16 * 1024 * 1024;

    private final Node node;
    private final int line;

    private SourceNode(Node node, int line) {
        this.node = node;
        this.line = line;
    }

    /**
     * Reads a text; JSON is YAML here.
     *
     * @throws IllegalArgumentException when it is neither
     */
    static SourceNode parse(String name, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST_CODE_POINTS);
        try {
            Node node = new Yaml(options).compose(new StringReader(text));
            if (node == null) {
                throw new IllegalArgumentException(name + " is empty");
            }
            return new SourceNode(node, 1);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(mistake(name, "neither YAML nor JSON", e), e);
        }
    }

    /** What is wrong, with the line where the parser noticed it. */
    static String mistake(String name, String what, YAMLException e) {
        String line = e instanceof MarkedYAMLException marked && marked.getProblemMark() != null
                ? ":" + (marked.getProblemMark().getLine() + 1)
                : "";
        return name + line + " is " + what + ": "
                + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** Counted from 1; of a member of a mapping, the line of its name. */
    int line() {
        return line;
    }

    Optional<SourceNode> get(String name) {
        return Optional.ofNullable(members().get(name));
    }

    Optional<String> text(String name) {
        return get(name).filter(found -> found.node instanceof ScalarNode).map(SourceNode::text);
    }

    String text() {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    Map<String, SourceNode> members() {
        Map<String, SourceNode> members = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    int at = key.getStartMark().getLine() + 1;
                    members.put(key.getValue(), new SourceNode(tuple.getValueNode(), at));
                }
            }
        }
        return members;
    }

    List<SourceNode> elements() {
        List<SourceNode> elements = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            sequence.getValue()
                    .forEach(each -> elements.add(
                            new SourceNode(each, each.getStartMark().getLine() + 1)));
        }
        return elements;
    }

    /** The value as maps, lists, texts, numbers and booleans. */
    Object value() {
        if (node instanceof MappingNode) {
            Map<String, Object> map = new LinkedHashMap<>();
            members().forEach((name, member) -> map.put(name, member.value()));
            return map;
        }
        if (node instanceof SequenceNode) {
            return elements().stream().map(SourceNode::value).toList();
        }
        String text = text();
        if (node.getTag().equals(Tag.INT) && text.matches("-?[0-9]{1,18}")) {
            return Long.parseLong(text);
        }
        if (node.getTag().equals(Tag.FLOAT) && text.matches("-?[0-9.eE+-]+")) {
            return Double.parseDouble(text);
        }
        return node.getTag().equals(Tag.BOOL) ? Boolean.parseBoolean(text) : text;
    }
}
