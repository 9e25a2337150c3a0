package dev.semel.examples.accounts;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A sender of commands. */
record Client(URI base) {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static String create(String id, String account) {
        return "{\"commandId\":\"" + id + "\",\"type\":\"create\",\"account\":\"" + account + "\"}";
    }

    static String deposit(String id, String account, long cents) {
        return change("deposit", id, account, cents);
    }

    static String withdraw(String id, String account, long cents) {
        return change("withdraw", id, account, cents);
    }

    private static String change(String type, String id, String account, long cents) {
        return "{\"commandId\":\"" + id + "\",\"type\":\"" + type + "\",\"account\":\"" + account
                + "\",\"amountCents\":" + cents + "}";
    }

    HttpResponse<String> send(String command) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(base.resolve("/commands"))
                        .timeout(Duration.ofSeconds(60))
                        .POST(HttpRequest.BodyPublishers.ofString(command))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    String balance(String account) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(base.resolve("/accounts/" + account))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static boolean isReplay(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotency-Replayed").isPresent();
    }
}
