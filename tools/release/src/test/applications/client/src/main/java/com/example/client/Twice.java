package com.example.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;

/** A client that sends one request twice, as after a lost answer, and prints the answers. */
public final class Twice {

    private Twice() {}

    public static void post(int port, String path) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .header("Content-Type", "application/json")
                .header("X-Account", "acme")
                .POST(HttpRequest.BodyPublishers.ofString("{\"item\":\"tea\"}"))
                .build();
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            boolean replayed =
                    answer.headers().firstValue("Idempotency-Replayed").isPresent();
            System.out.println(answer.statusCode() + " " + answer.body() + (replayed ? " replayed" : ""));
        }
    }
}
