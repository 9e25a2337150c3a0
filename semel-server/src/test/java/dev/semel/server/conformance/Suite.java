package dev.semel.server.conformance;

import dev.semel.server.check.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs all scenarios of a server with a client. */
final class Suite {

    private static final int THREADS = 10;

    /** A client under test: sends the request of a scenario and returns its report. */
    interface Client {
        Map<String, Object> send(HttpRequest request) throws Exception;
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    Suite(String url) {
        this.url = url;
    }

    void run(Client client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> runs = scenarios().stream()
                    .map(scenario -> threads.<Void>submit(() -> {
                        String report = Json.write(client.send(requestOf(scenario)));
                        http.send(post(text(scenario, "report"), report), BodyHandlers.discarding());
                        return null;
                    }))
                    .toList();
            for (Future<Void> run : runs) {
                Void unused = run.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private List<Map<?, ?>> scenarios() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/conformance/scenarios"))
                .build();
        Object listing = Json.parse(http.send(request, BodyHandlers.ofString()).body())
                .flatMap(json -> Json.at(json, "/scenarios"))
                .orElseThrow();
        return ((List<?>) listing)
                .stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
    }

    private static HttpRequest requestOf(Map<?, ?> scenario) {
        return post(text(scenario, "url"), text(scenario, "body"));
    }

    private static HttpRequest post(String url, String body) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static String text(Map<?, ?> object, String name) {
        return String.valueOf(object.get(name));
    }
}
