package dev.semel.server.check.oracle;

import dev.semel.server.check.json.Json;
import dev.semel.server.check.wire.Header;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counts in a JSON document behind a URL: a number, or the elements of an array or object. */
public final class GetOracle implements EffectOracle {

    private final URI uri;
    private final String pointer;
    private final List<Header> headers;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private GetOracle(URI uri, String pointer, List<Header> headers) {
        this.uri = uri;
        this.pointer = pointer;
        this.headers = headers;
    }

    /**
     * Understands {@code http://127.0.0.1:8090/ledger#/charges}; without a pointer the whole document counts.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static GetOracle of(String given, List<Header> headers) {
        int hash = given.indexOf('#');
        String pointer = hash < 0 ? "" : given.substring(hash + 1);
        if (!pointer.isEmpty() && !pointer.startsWith("/")) {
            throw new IllegalArgumentException("'" + pointer + "' is no JSON Pointer; write URL#/member/other");
        }
        URI uri = URI.create(hash < 0 ? given : given.substring(0, hash));
        if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
            throw new IllegalArgumentException("'" + given + "' is no URL such as http://127.0.0.1:8090/ledger#/count");
        }
        return new GetOracle(uri, pointer, List.copyOf(headers));
    }

    /** Where effects are counted. */
    public URI uri() {
        return uri;
    }

    @Override
    public long count() {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
        headers.forEach(header -> request.header(header.name(), header.value()));
        HttpResponse<String> answer;
        try {
            answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new OracleException("effects cannot be counted at " + uri + ": " + reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OracleException("the check was interrupted", e);
        }
        if (answer.statusCode() != 200) {
            throw new OracleException(
                    "effects cannot be counted: " + uri + " answered " + answer.statusCode() + " instead of 200");
        }
        return number(answer.body());
    }

    private static String reason(IOException failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private long number(String text) {
        if (pointer.isEmpty() && text.strip().matches("[0-9]{1,18}")) {
            return Long.parseLong(text.strip());
        }
        Object found = Json.parse(text)
                .flatMap(document -> Json.at(document, pointer))
                .orElseThrow(() -> new OracleException("effects cannot be counted: the answer of " + uri + " is no JSON"
                        + (pointer.isEmpty() ? "" : " with a value at " + pointer)));
        if (found instanceof Number number) {
            return number.longValue();
        }
        if (found instanceof Collection<?> array) {
            return array.size();
        }
        if (found instanceof Map<?, ?> object) {
            return object.size();
        }
        throw new OracleException("effects cannot be counted: " + uri
                + " has neither a number nor an array nor an object" + (pointer.isEmpty() ? "" : " at " + pointer));
    }

    @Override
    public String description() {
        return "GET " + uri + (pointer.isEmpty() ? "" : "#" + pointer);
    }

    @Override
    public String command() {
        return "curl -s '" + uri + "'" + (pointer.isEmpty() ? "" : "   # count " + pointer);
    }
}
