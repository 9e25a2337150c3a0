package dev.semel.server.conformance;

import dev.semel.server.conformance.Scenario.Connection;
import dev.semel.server.conformance.Scenario.Expected;
import dev.semel.server.conformance.Scenario.Marks;
import dev.semel.server.conformance.Scenario.Step;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The scenarios of {@code scenarios.yaml}. */
public final class ScenarioFile {

    private static final int NO_STATUS = 0;

    private ScenarioFile() {}

    /** The file, with a comment that explains it. */
    public static String text() {
        try (InputStream in = ScenarioFile.class.getResourceAsStream("scenarios.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The times that a client under test is set to, so that a run is short. */
    static Map<String, Object> settings() {
        return mapping(root().get("settings"));
    }

    static List<Scenario> scenarios() {
        return list(root().get("scenarios")).stream()
                .map(each -> scenario(mapping(each)))
                .toList();
    }

    private static Map<String, Object> root() {
        return mapping(new Yaml(new SafeConstructor(new LoaderOptions())).<Object>load(text()));
    }

    private static Scenario scenario(Map<String, Object> yaml) {
        return new Scenario(
                text(yaml, "name"),
                text(yaml, "title"),
                "should".equals(yaml.get("level")),
                list(yaml.get("server")).stream()
                        .map(each -> step(mapping(each)))
                        .toList(),
                expected(mapping(yaml.get("client"))));
    }

    private static Step step(Map<String, Object> yaml) {
        Object connection = yaml.getOrDefault("connection", "kept");
        Object date = yaml.get("retry-after-date");
        Object wait = date == null ? yaml.get("retry-after") : date;
        return new Step(
                Connection.valueOf(connection.toString().toUpperCase(Locale.ROOT)),
                yaml.get("answer") instanceof Integer status ? status : NO_STATUS,
                is(yaml, "executes"),
                problem(yaml),
                new Marks(is(yaml, "replayed"), is(yaml, "unprotected")),
                wait instanceof Integer seconds ? seconds : null,
                date != null);
    }

    private static Map<String, Object> problem(Map<String, Object> yaml) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (yaml.get("problem") instanceof String code) {
            members.put("type", "urn:semel:problem:" + code);
            members.put("title", code.replace('_', ' '));
            members.put("status", yaml.get("answer"));
            members.put("code", code);
            members.put("retryable", is(yaml, "retryable"));
            members.put("safe_new_key", is(yaml, "safe-new-key"));
            members.put("next", Map.of("code", String.valueOf(yaml.get("next")), "detail", "As the code says."));
        }
        return members;
    }

    private static Expected expected(Map<String, Object> yaml) {
        String requests = text(yaml, "requests");
        boolean open = requests.endsWith("+");
        int least = Integer.parseInt(open ? requests.substring(0, requests.length() - 1) : requests);
        Map<String, Object> report = new LinkedHashMap<>();
        for (String member : List.of("status", "replayed", "safe-new-key")) {
            if (yaml.get(member) != null) {
                report.put(member.replace('-', '_'), yaml.get(member));
            }
        }
        Object ends = yaml.get("ends");
        return new Expected(
                least,
                open ? Integer.MAX_VALUE : least,
                ends instanceof List<?> several
                        ? Set.copyOf(several.stream().map(String::valueOf).toList())
                        : Set.of(String.valueOf(ends)),
                report,
                "uuidv7".equals(yaml.get("key")));
    }

    private static boolean is(Map<String, Object> yaml, String name) {
        return Boolean.TRUE.equals(yaml.get(name));
    }

    private static String text(Map<String, Object> yaml, String name) {
        return String.valueOf(yaml.get(name));
    }

    private static List<?> list(@Nullable Object value) {
        return (List<?>) Objects.requireNonNull(value, "a list of scenarios.yaml is missing");
    }

    private static Map<String, Object> mapping(@Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(value, "a mapping of scenarios.yaml is missing"))
                .forEach((name, member) -> copy.put(String.valueOf(name), member));
        return copy;
    }
}
