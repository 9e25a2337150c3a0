package dev.semel.server.cli;

import dev.semel.admin.AdminApi;
import dev.semel.admin.access.AdminRequest;
import dev.semel.admin.access.AdminResponse;
import dev.semel.admin.access.Authenticator;
import dev.semel.admin.json.Json;
import dev.semel.admin.json.JsonObject;
import dev.semel.admin.json.JsonReader;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Headers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Calls of the admin API: in this process on a store, or over HTTP on a console that runs elsewhere. */
abstract class AdminClient implements AutoCloseable {

    /** Longer than any call takes; a console that does not answer by then will not. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** What an API answered. */
    record Reply(int status, String body) {}

    /** A call that was refused, or that failed. */
    static final class RefusedCall extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String code;

        RefusedCall(String code, String message) {
            super(message);
            this.code = code;
        }

        String code() {
            return code;
        }
    }

    abstract Reply send(String method, String path, byte[] body);

    @Override
    public abstract void close();

    /** @throws RefusedCall with what the API says of its refusal */
    String post(String path, Json body) {
        return answered(send("POST", path, body.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** @throws RefusedCall with what the API says of its refusal */
    String get(String path) {
        return answered(send("GET", path, new byte[0]));
    }

    static JsonObject read(String json) {
        return JsonReader.object(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static String answered(Reply reply) {
        if (reply.status() == 200) {
            return reply.body();
        }
        JsonObject problem;
        try {
            problem = read(reply.body());
        } catch (IllegalArgumentException e) {
            throw new RefusedCall(
                    "no_admin_api",
                    "the server answered " + reply.status() + ", but not as an admin API of Semel does");
        }
        throw new RefusedCall(
                String.valueOf(problem.text("code", 100)),
                problem.text("title", 1000) + ". " + problem.text("detail", 10_000));
    }

    /** An API in this process, with all rights: a user who has the store's URI has them anyway. */
    static AdminClient on(SemelEngine semel) {
        AdminApi api = AdminApi.on(semel, Authenticator.none(System.getProperty("user.name", "local")))
                .writes(true)
                .build();
        return new AdminClient() {
            @Override
            Reply send(String method, String path, byte[] body) {
                AdminResponse response = api.handle(new AdminRequest(
                        method,
                        AdminApi.CALLS + path,
                        Headers.of("Content-Type", "application/json"),
                        body,
                        "the command line",
                        false));
                return new Reply(response.status(), text(response.body().bytes()));
            }

            @Override
            public void close() {
                semel.close();
            }
        };
    }

    /** An API at a URL such as {@code https://console.example.com}. */
    static AdminClient at(URI server, String token) {
        HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
        String root = server.toString().replaceFirst("/+$", "") + "/semel" + AdminApi.CALLS;
        return new AdminClient() {
            @Override
            Reply send(String method, String path, byte[] body) {
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path))
                        .timeout(TIMEOUT)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
                if (!token.isEmpty()) {
                    request.header("Authorization", "Bearer " + token);
                }
                try {
                    HttpResponse<byte[]> response =
                            client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                    return new Reply(response.statusCode(), text(response.body()));
                } catch (IOException e) {
                    throw new RefusedCall("unreachable", server + " cannot be reached: " + e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new RefusedCall("interrupted", "interrupted while " + server + " was asked");
                }
            }

            @Override
            public void close() {}
        };
    }
}
