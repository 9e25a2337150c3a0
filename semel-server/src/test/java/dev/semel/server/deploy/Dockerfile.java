package dev.semel.server.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The instructions of a Dockerfile, in their order. */
record Dockerfile(List<Instruction> instructions) {

    private static final Set<String> KNOWN = Set.of(
            "FROM",
            "ARG",
            "ENV",
            "LABEL",
            "COPY",
            "ADD",
            "RUN",
            "USER",
            "WORKDIR",
            "EXPOSE",
            "VOLUME",
            "HEALTHCHECK",
            "STOPSIGNAL",
            "SHELL",
            "ENTRYPOINT",
            "CMD");

    /** One instruction, with its continued lines joined. */
    record Instruction(String name, String arguments) {

        List<String> words() {
            return List.of(arguments.split("\\s+"));
        }

        /** The arguments of the form that needs no shell: a JSON array of strings. */
        List<String> array() {
            Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(arguments);
            if (!arguments.startsWith("[\"") || !(read instanceof List<?> list)) {
                throw new IllegalArgumentException(name + " is not in the form of a JSON array: " + arguments);
            }
            return list.stream().map(String.class::cast).toList();
        }
    }

    /** @throws IllegalArgumentException naming the first line that is not an instruction */
    static Dockerfile of(String text) {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder pending = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.endsWith("\\")) {
                pending.append(line, 0, line.length() - 1).append(' ');
                continue;
            }
            instructions.add(instruction(pending + line));
            pending.setLength(0);
        }
        if (!pending.isEmpty()) {
            throw new IllegalArgumentException("the last line is continued, but there is none: " + pending);
        }
        if (instructions.isEmpty() || !instructions.get(0).name().equals("FROM")) {
            throw new IllegalArgumentException("the first instruction must be FROM");
        }
        return new Dockerfile(List.copyOf(instructions));
    }

    private static Instruction instruction(String line) {
        String[] parts = line.strip().split("\\s+", 2);
        if (!KNOWN.contains(parts[0]) || parts.length < 2) {
            throw new IllegalArgumentException("not an instruction with arguments: " + line);
        }
        return new Instruction(parts[0], parts[1]);
    }

    List<Instruction> all(String name) {
        return instructions.stream().filter(each -> each.name().equals(name)).toList();
    }

    /** @throws IllegalStateException unless there is exactly one */
    Instruction only(String name) {
        List<Instruction> found = all(name);
        if (found.size() != 1) {
            throw new IllegalStateException("there are " + found.size() + " instructions " + name);
        }
        return found.get(0);
    }
}
