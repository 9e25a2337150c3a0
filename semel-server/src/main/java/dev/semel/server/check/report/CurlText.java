package dev.semel.server.check.report;

import dev.semel.server.check.rules.Reproduction;
import dev.semel.server.check.rules.Reproduction.Step;
import dev.semel.server.check.subject.Intent;
import dev.semel.server.check.wire.Header;
import dev.semel.server.check.wire.WireRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a reproduction as commands of a shell that can be pasted any number of times: keys and values are made anew each time, and
 * credentials are variables, so that reports can be passed on.
 */
final class CurlText {

    private static final Pattern LONG_RUN = Pattern.compile("-{100,}");

    private final @Nullable String countCommand;
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Map<String, String> definitions = new LinkedHashMap<>();
    private final Map<String, String> secrets = new LinkedHashMap<>();

    private CurlText(Reproduction reproduction, @Nullable String countCommand) {
        this.countCommand = countCommand;
        int keys = 0;
        int values = 0;
        for (Intent intent : reproduction.intents()) {
            String key = ++keys == 1 ? "KEY" : "KEY" + keys;
            variables.put(intent.key(), key);
            definitions.put(key, "$(uuidgen)");
            for (String value : intent.values()) {
                String name = ++values == 1 ? "VALUE" : "VALUE" + values;
                variables.put(value, name);
                definitions.put(name, command(value));
            }
        }
    }

    /** What makes a value of the same kind. */
    private static String command(String value) {
        if (value.endsWith("GMT")) {
            return "$(date -u '+%a, %d %b %Y %H:%M:%S GMT')";
        }
        return value.contains("-") ? "$(uuidgen)" : "$(date +1%N)";
    }

    static List<String> of(Reproduction reproduction, @Nullable String countCommand) {
        return new CurlText(reproduction, countCommand).lines(reproduction);
    }

    private List<String> lines(Reproduction reproduction) {
        List<String> commands = new ArrayList<>();
        for (Step step : reproduction.steps()) {
            add(commands, step);
        }
        String all = String.join("\n", commands);
        List<String> lines = new ArrayList<>();
        for (String name : new TreeSet<>(secrets.values())) {
            lines.add("export " + name + "=…   # as you gave it");
        }
        definitions.forEach((name, value) -> {
            if (Pattern.compile("\\$" + name + "\\b").matcher(all).find()) {
                lines.add(name + "=" + value);
            }
        });
        if (countCommand != null && reproduction.steps().stream().anyMatch(Step.Count.class::isInstance)) {
            lines.add("# effects before");
            lines.add(countCommand);
        }
        lines.addAll(commands);
        return lines;
    }

    private void add(List<String> commands, Step step) {
        if (step instanceof Step.Send send) {
            commands.add("# " + (send.comment().matches("[0-9]{3}") ? "the answer was " : "") + send.comment());
            commands.add("curl -i" + arguments(send.request()));
        } else if (step instanceof Step.SendTogether together) {
            commands.add("# " + together.times() + " times, " + together.comment());
            commands.add("for i in $(seq " + together.times() + "); do curl -s -o /dev/null -w '%{http_code}\\n'"
                    + arguments(together.request()) + " & done; wait");
        } else if (step instanceof Step.SendAll all) {
            commands.add("# " + all.comment());
            commands.add(all.requests().stream()
                    .map(request -> "curl -s -w '%{http_code}\\n'" + arguments(request) + " & ")
                    .collect(Collectors.joining("", "", "wait")));
        } else if (step instanceof Step.GiveUp giveUp) {
            commands.add("# " + giveUp.comment());
            commands.add("curl -s --max-time " + giveUp.seconds() + arguments(giveUp.request()));
        } else if (step instanceof Step.Wait pause) {
            commands.add("sleep " + pause.seconds());
        } else if (step instanceof Step.Count count && countCommand != null) {
            commands.add("# " + count.comment());
            commands.add(countCommand);
        }
    }

    private String arguments(WireRequest request) {
        StringBuilder line = new StringBuilder();
        if (!request.method().equals("GET")) {
            line.append(" -X ").append(request.method());
        }
        line.append(' ').append(quoted(request.uri().toString()));
        boolean typed = false;
        for (Header header : request.headers()) {
            typed |= header.isNamed("Content-Type");
            line.append(" -H ").append(header(header));
        }
        if (request.body().length > 0) {
            line.append(typed ? "" : " -H 'Content-Type:'")
                    .append(" --data-raw ")
                    .append(quoted(request.bodyText()));
        }
        return line.toString();
    }

    private String header(Header header) {
        if (header.value().isEmpty()) {
            return "'" + header.name() + ";'";
        }
        if (!header.isSecret()) {
            return quoted(header.line());
        }
        String name = secrets.get(header.line());
        if (name == null) {
            String plain = header.name().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
            long before = secrets.values().stream()
                    .filter(other -> other.replaceFirst("_[0-9]+$", "").equals(plain))
                    .count();
            name = before == 0 ? plain : plain + "_" + (before + 1);
            secrets.put(header.line(), name);
        }
        return "\"" + header.name() + ": $" + name + "\"";
    }

    /** In single quotes, which are left for variables. */
    private String quoted(String text) {
        String quoted = "'" + text.replace("'", "'\\''") + "'";
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            String name = "$" + variable.getValue();
            boolean splits = variable.getKey().contains(" ");
            quoted = quoted.replace(variable.getKey(), "'" + (splits ? '"' + name + '"' : name) + "'");
        }
        Matcher run = LONG_RUN.matcher(quoted);
        return run.replaceAll(found -> Matcher.quoteReplacement(
                "'$(printf -- '-%.0s' $(seq " + found.group().length() + "))'"));
    }
}
