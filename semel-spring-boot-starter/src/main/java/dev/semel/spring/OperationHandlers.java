package dev.semel.spring;

import dev.semel.http.PathPattern;
import dev.semel.http.Routes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * The controller methods that do each operation, for requests that are mapped to none of them: those for the status of a key. A
 * method whose path has variables does every operation that has a path of that form.
 */
final class OperationHandlers {

    private final Routes routes;
    private final Map<String, List<HandlerMethod>> byOperation = new HashMap<>();

    OperationHandlers(Routes routes) {
        this.routes = routes;
    }

    /** Adds a method with the requests that it is mapped to. */
    void add(HandlerMethod handler, Set<RequestMethod> methods, Set<String> paths) {
        for (RequestMethod method : methods.isEmpty() ? Set.of(RequestMethod.values()) : methods) {
            for (String path : paths) {
                routes.matchSome(method.name(), pattern(path))
                        .forEach(policy -> add(policy.operation().name(), handler));
            }
        }
    }

    /** A pattern of Spring's as one of routes, which matches every path that it does. */
    private static PathPattern pattern(String mapped) {
        StringBuilder pattern = new StringBuilder();
        for (String segment : mapped.split("/", -1)) {
            if (segment.startsWith("{*") || segment.equals("**")) {
                return PathPattern.of(pattern + "/**");
            }
            boolean varies =
                    segment.contains("{") || segment.contains("*") || segment.contains("?") || segment.contains(";");
            pattern.append(segment.isEmpty() ? "" : "/" + (varies ? "*" : segment));
        }
        return PathPattern.of(pattern.isEmpty() ? "/" : pattern.toString());
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

    /** Whether a method, found by any way, is one that does the operation. */
    boolean has(String operation, HandlerMethod handler) {
        return of(operation).stream().anyMatch(known -> known.getMethod().equals(handler.getMethod()));
    }
}
