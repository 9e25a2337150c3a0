package dev.semel.server.check.subject;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An OpenAPI 3 description, and the operations that can be tested in it. */
public final class OpenApiFile {

    private static final List<String> MUTATING = List.of("post", "put", "patch", "delete");
    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([^{}]+)}");

    private final String name;
    private final SourceNode root;
    private final ExampleBodies examples = new ExampleBodies(this::resolved);

    private OpenApiFile(String name, SourceNode root) {
        this.name = name;
        this.root = root;
    }

    /**
     * What the command line says and a description does not.
     *
     * @param server null for the server that the description names
     * @param headers such as credentials; they win over those of the description
     */
    public record Given(@Nullable String server, List<Header> headers, String keyHeader, Target.Bodies bodies) {}

    /**
     * Reads a file or a URL.
     *
     * @throws IllegalArgumentException when it cannot be read, or is no OpenAPI 3
     */
    public static OpenApiFile read(String location) {
        SourceNode root = SourceNode.parse(location, content(location));
        if (!root.text("openapi").orElse("").startsWith("3.")) {
            throw new IllegalArgumentException(location + " is no OpenAPI 3: it has no 'openapi: 3.…'");
        }
        return new OpenApiFile(location, root);
    }

    private static String content(String location) {
        try {
            if (!location.startsWith("http://") && !location.startsWith("https://")) {
                return Files.readString(Path.of(location));
            }
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(Duration.ofSeconds(10))
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create(location))
                                    .timeout(Duration.ofSeconds(30))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalArgumentException(location + " answered " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalArgumentException(location + " cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException(location + " was not read: interrupted", e);
        }
    }

    /** An operation as it stands in the description. */
    private record Found(String id, String method, String path, SourceNode item, SourceNode operation) {

        boolean isNamed(String other) {
            return id.equals(other) || (method.toUpperCase(Locale.ROOT) + " " + path).equals(other);
        }
    }

    /**
     * The operations to test.
     *
     * @param wanted ids, or such as {@code POST /payments}; where it is empty, all that have the key's header, or else the only one
     * @throws IllegalArgumentException when there is none
     */
    public List<Target> targets(List<String> wanted, Given given) {
        List<Found> all = operations();
        List<Found> chosen = new ArrayList<>();
        for (String each : wanted) {
            chosen.add(all.stream()
                    .filter(found -> found.isNamed(each))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "there is no operation '" + each + "' in " + name + "; there are " + names(all))));
        }
        if (wanted.isEmpty()) {
            all.stream().filter(found -> hasKeyHeader(found, given.keyHeader())).forEach(chosen::add);
            if (chosen.isEmpty() && all.size() == 1) {
                chosen.add(all.get(0));
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no operation of " + name + " has a header parameter "
                    + given.keyHeader() + "; choose with --operation: " + names(all));
        }
        return chosen.stream().map(found -> target(found, given)).toList();
    }

    private static String names(List<Found> all) {
        return all.isEmpty()
                ? "none"
                : String.join(", ", all.stream().map(Found::id).toList());
    }

    private List<Found> operations() {
        List<Found> all = new ArrayList<>();
        root.get("paths")
                .map(SourceNode::members)
                .ifPresent(paths -> paths.forEach((path, given) -> {
                    SourceNode item = resolved(given);
                    for (String method : MUTATING) {
                        item.get(method)
                                .ifPresent(operation -> all.add(new Found(
                                        operation
                                                .text("operationId")
                                                .orElse(method.toUpperCase(Locale.ROOT) + " " + path),
                                        method,
                                        path,
                                        item,
                                        operation)));
                    }
                }));
        return all;
    }

    private boolean hasKeyHeader(Found found, String keyHeader) {
        return parameters(found).stream()
                .anyMatch(parameter -> parameter.text("in").orElse("").equals("header")
                        && parameter.text("name").orElse("").equalsIgnoreCase(keyHeader));
    }

    private List<SourceNode> parameters(Found found) {
        List<SourceNode> parameters = new ArrayList<>();
        found.item().get("parameters").ifPresent(list -> parameters.addAll(list.elements()));
        found.operation().get("parameters").ifPresent(list -> parameters.addAll(list.elements()));
        return parameters.stream().map(this::resolved).toList();
    }

    private Target target(Found found, Given given) {
        List<Header> headers = new ArrayList<>(given.headers());
        StringBuilder query = new StringBuilder();
        for (SourceNode parameter : parameters(found)) {
            String parameterName = parameter.text("name").orElse("");
            boolean required = parameter.text("required").orElse("").equals("true");
            String in = parameter.text("in").orElse("");
            boolean isNew = headers.stream().noneMatch(header -> header.isNamed(parameterName))
                    && !parameterName.equalsIgnoreCase(given.keyHeader());
            if (in.equals("header") && required && isNew) {
                headers.add(new Header(parameterName, exampleOf(parameter)));
            } else if (in.equals("query") && required) {
                query.append(query.isEmpty() ? "?" : "&")
                        .append(parameterName)
                        .append('=')
                        .append(exampleOf(parameter));
            }
        }
        String body = body(found, headers);
        return new Target(
                found.id(),
                found.method(),
                server(given) + path(found) + query,
                headers,
                body,
                given.bodies(),
                new Target.Place(name, found.operation().line()));
    }

    private String path(Found found) {
        return PATH_PARAMETER.matcher(found.path()).replaceAll(match -> {
            String value = parameters(found).stream()
                    .filter(parameter -> parameter.text("name").orElse("").equals(match.group(1)))
                    .map(this::exampleOf)
                    .findFirst()
                    .orElse("{{uuid}}");
            return Matcher.quoteReplacement(value);
        });
    }

    private String exampleOf(SourceNode parameter) {
        return parameter
                .text("example")
                .or(() -> parameter.get("schema").map(schema -> String.valueOf(examples.of(schema))))
                .orElse("1");
    }

    /** The body's example; adds its media type to the headers. */
    private String body(Found found, List<Header> headers) {
        Optional<SourceNode> content =
                found.operation().get("requestBody").map(this::resolved).flatMap(body -> body.get("content"));
        if (content.isEmpty() || content.get().members().isEmpty()) {
            return "";
        }
        String type = content.get().members().keySet().stream()
                .filter(media -> media.contains("json"))
                .findFirst()
                .orElseGet(() -> content.get().members().keySet().iterator().next());
        SourceNode media = content.get().members().get(type);
        if (media == null) {
            return "";
        }
        if (headers.stream().noneMatch(header -> header.isNamed("Content-Type"))) {
            headers.add(new Header("Content-Type", type));
        }
        Object value = media.get("example")
                .or(() -> media.get("examples")
                        .flatMap(
                                examples -> examples.members().values().stream().findFirst())
                        .map(this::resolved)
                        .flatMap(example -> example.get("value")))
                .map(SourceNode::value)
                .orElseGet(() -> media.get("schema").map(examples::of).orElse(""));
        return value instanceof String text ? text : Json.write(value).replaceAll("\n *", "");
    }

    private String server(Given given) {
        String stated = root.get("servers")
                .flatMap(servers -> servers.elements().stream().findFirst())
                .flatMap(server -> server.text("url"))
                .orElse("");
        String server = given.server() == null ? stated : given.server();
        if (!server.startsWith("http://") && !server.startsWith("https://")) {
            throw new IllegalArgumentException(name
                    + " names no server with http:// or https://; give its address, such as http://127.0.0.1:8080");
        }
        return server.replaceFirst("/+$", "");
    }

    private SourceNode resolved(SourceNode node) {
        SourceNode current = node;
        for (int i = 0; i < 16; i++) {
            Optional<String> ref = current.text("$ref");
            if (ref.isEmpty()) {
                return current;
            }
            current = at(ref.get());
        }
        throw new IllegalArgumentException(name + ": $ref leads in a circle");
    }

    private SourceNode at(String ref) {
        if (!ref.startsWith("#/")) {
            throw new IllegalArgumentException(name + ": $ref to another file is not followed: " + ref);
        }
        SourceNode current = root;
        for (String part : ref.substring(2).split("/", -1)) {
            String member = part.replace("~1", "/").replace("~0", "~");
            current = current.get(member)
                    .orElseThrow(() -> new IllegalArgumentException(name + ": $ref names nothing: " + ref));
        }
        return current;
    }
}
