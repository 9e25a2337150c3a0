package dev.semel.http.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.fingerprint.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request or message with the parts that a test sets; all others are absent. */
final class TestInput implements KeyInput {

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable String method;
    private @Nullable String path;
    private String query = "";
    private @Nullable String route;
    private @Nullable String mediaType;
    private @Nullable String user;
    private byte[] body = new byte[0];

    static TestInput message(String body) {
        return bytes(body.getBytes(UTF_8));
    }

    static TestInput bytes(byte[] body) {
        TestInput input = new TestInput();
        input.body = body;
        return input;
    }

    static TestInput request(String method, String path, String body) {
        TestInput input = message(body);
        input.method = method;
        input.path = path;
        input.mediaType = "application/json";
        return input;
    }

    static TestInput empty() {
        return new TestInput();
    }

    TestInput header(String name, String value) {
        headers.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
        return this;
    }

    TestInput query(String value) {
        query = value;
        return this;
    }

    TestInput route(@Nullable String value) {
        route = value;
        return this;
    }

    TestInput mediaType(@Nullable String value) {
        mediaType = value;
        return this;
    }

    TestInput user(@Nullable String value) {
        user = value;
        return this;
    }

    @Override
    public @Nullable String method() {
        return method;
    }

    @Override
    public @Nullable String path() {
        return path;
    }

    @Override
    public String query() {
        return query;
    }

    @Override
    public @Nullable String route() {
        return route;
    }

    @Override
    public List<String> header(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public byte[] body() {
        return body;
    }

    @Override
    public @Nullable String mediaType() {
        return mediaType;
    }

    @Override
    public Parts parts() {
        return Parts.builder()
                .add("method", String.valueOf(method))
                .add("path", String.valueOf(path))
                .add("query", query)
                .body(mediaType, body)
                .build();
    }

    @Override
    public @Nullable String user() {
        return user;
    }
}
