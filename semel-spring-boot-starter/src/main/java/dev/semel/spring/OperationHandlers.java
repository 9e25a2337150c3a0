package dev.semel.spring;

import dev.semel.http.RequestView;
import dev.semel.http.Routes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** The controller methods that do each operation, for requests that name no method: those for the status of a key. */
final class OperationHandlers {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^/]*\\}|\\*+");

    private final Routes routes;
    private final Map<String, List<HandlerMethod>> byOperation = new HashMap<>();

    OperationHandlers(Routes routes) {
        this.routes = routes;
    }

    /** Adds a method with the requests that it is mapped to. */
    void add(HandlerMethod handler, Set<RequestMethod> methods, Set<String> paths) {
        for (RequestMethod method : methods.isEmpty() ? Set.of(RequestMethod.values()) : methods) {
            for (String path : paths) {
                String sample = PLACEHOLDER.matcher(path).replaceAll("x");
                routes.match(RequestView.of(method.name(), sample.isEmpty() ? "/" : sample)
                                .build())
                        .ifPresent(policy -> add(policy.operation().name(), handler));
            }
        }
    }

    private void add(String operation, HandlerMethod handler) {
        List<HandlerMethod> known = byOperation.computeIfAbsent(operation, name -> new ArrayList<>());
        if (!known.contains(handler)) {
            known.add(handler);
        }
    }

    List<HandlerMethod> of(String operation) {
        return byOperation.getOrDefault(operation, List.of());
    }
}
