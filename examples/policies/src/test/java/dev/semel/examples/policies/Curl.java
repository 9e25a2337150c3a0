package dev.semel.examples.policies;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A curl command as the README writes it.
 *
 * @param headers names and values, one after the other
 * @param inBackground whether it ends in {@code &}
 */
record Curl(String method, String target, List<String> headers, String body, boolean inBackground) {

    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final String SERVER = "127.0.0.1:8080";

    static Curl parse(String command) {
        List<String> words = WORD.matcher(command).results().map(Curl::word).toList();
        if (words.size() < 3
                || !words.get(0).equals("curl")
                || !words.get(1).equals("-i")
                || !words.get(2).startsWith(SERVER)) {
            throw new IllegalArgumentException("not of the form curl -i " + SERVER + "/…: " + command);
        }
        String method = "GET";
        String body = "";
        boolean inBackground = false;
        List<String> headers = new ArrayList<>();
        for (int i = 3; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-X" -> method = words.get(++i);
                case "--json" -> {
                    method = "POST";
                    body = words.get(++i);
                    headers.addAll(List.of("Content-Type", "application/json", "Accept", "application/json"));
                }
                case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
                case "&" -> inBackground = true;
                default -> throw new IllegalArgumentException("what is " + words.get(i) + " in " + command + "?");
            }
        }
        return new Curl(method, words.get(2).substring(SERVER.length()), headers, body, inBackground);
    }

    private static String word(MatchResult match) {
        return match.group(1) != null ? match.group(1) : match.group(2);
    }

    Optional<String> key() {
        int name = headers.indexOf("Idempotency-Key");
        return name < 0 ? Optional.empty() : Optional.of(headers.get(name + 1));
    }

    HttpRequest to(URI server) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(target));
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        return request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }
}
