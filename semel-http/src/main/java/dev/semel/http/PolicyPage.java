package dev.semel.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The policy that a service publishes about its keys, as the IETF draft asks of it: what is protected, how keys look, how long
 * records are kept, and what retries are answered with. As JSON, and as a page where a browser asks.
 */
final class PolicyPage {

    private final Answer json;
    private final Answer html;

    PolicyPage(GateBuilder settings) {
        Map<String, Object> document = document(settings);
        json = page("application/json", JsonText.of(document));
        html = page("text/html; charset=utf-8", PolicyHtml.of(document))
                .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                .with("X-Content-Type-Options", "nosniff");
    }

    private static Answer page(String type, String text) {
        return new Answer(
                200,
                Headers.of("Content-Type", type)
                        .with("Cache-Control", "no-cache")
                        .with("Vary", "Accept"),
                Body.ofText(text));
    }

    Answer answer(RequestView request) {
        return request.header("Accept").stream()
                        .anyMatch(accepted -> accepted.toLowerCase(Locale.ROOT).contains("text/html"))
                ? html
                : json;
    }

    private static Map<String, Object> document(GateBuilder settings) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("specification", GateBuilder.DEFAULT_DOCUMENTATION.toString());
        document.put("key_header", settings.keyHeader);
        document.put("status_path", settings.statusPath);
        document.put("safe_methods", SafeMethods.ALL.stream().sorted().toList());
        Map<RoutePolicy, List<Map<String, Object>>> routes = new LinkedHashMap<>();
        for (Routes.Listed rule : settings.routes.listed()) {
            routes.computeIfAbsent(rule.policy(), first -> new ArrayList<>()).add(route(rule));
        }
        List<Map<String, Object>> operations = new ArrayList<>();
        routes.forEach((policy, rules) ->
                operations.add(PublishedPolicy.of(policy, rules, settings.keyHeader, settings.strict)));
        document.put("operations", operations);
        return document;
    }

    private static Map<String, Object> route(Routes.Listed rule) {
        Map<String, Object> route = new LinkedHashMap<>();
        route.put("methods", rule.methods().isEmpty() ? List.of("*") : rule.methods());
        route.put("path", rule.path());
        return route;
    }
}
