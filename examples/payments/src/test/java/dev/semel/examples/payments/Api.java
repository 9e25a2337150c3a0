package dev.semel.examples.payments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A client of the payments application, with the credentials of one account. */
record Api(URI base, String account) {

    static final String ORDER = """
            {"customerId":"cus_1","amountCents":1999,"currency":"EUR"}""";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static Api acme(URI base) {
        return new Api(base, "acme");
    }

    Api as(String other) {
        return new Api(base, other);
    }

    static String order(String paymentMethod) {
        return """
                {"customerId":"cus_1","amountCents":1999,"currency":"EUR","paymentMethod":"%s"}""".formatted(paymentMethod);
    }

    HttpResponse<String> pay(String key, String body) {
        return send("POST", "/payments", key, body);
    }

    CompletableFuture<HttpResponse<String>> payAsync(String path, String key, String body) {
        return HTTP.sendAsync(request("POST", path, key, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends the same request so many times at once, to all of these in turn. */
    static List<HttpResponse<String>> payAtOnce(int times, String path, String key, String body, Api... apis) {
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, times)
                .mapToObj(i -> apis[i % apis.length].payAsync(path, key, body))
                .toList();
        return sent.stream().map(CompletableFuture::join).toList();
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, null, null);
    }

    HttpResponse<String> status(String key) {
        return send("GET", "/idempotency/status", key, null);
    }

    HttpResponse<String> send(String method, String path, @Nullable String key, @Nullable String body) {
        return send(request(method, path, key, body).build());
    }

    static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpRequest.Builder request(String method, String path, @Nullable String key, @Nullable String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer sk_test_" + account)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return request;
    }

    static boolean isReplay(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotency-Replayed").equals(Optional.of("true"));
    }

    static String header(HttpResponse<String> answer, String name) {
        return String.join(", ", answer.headers().allValues(name));
    }
}
