package dev.semel.spring;

import dev.semel.http.SafeMethods;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/** Controller methods that are {@link Idempotent}: their requests belong to the operation that they name. */
final class IdempotentControllers {

    private static final Pattern VARIABLE = Pattern.compile("\\{(?!\\*)[^/]*\\}");
    private static final Pattern REST = Pattern.compile("/\\{\\*[^/]*\\}$");

    private IdempotentControllers() {}

    /** Adds the requests of a method, if it is idempotent; mapped by Spring MVC or by WebFlux. */
    static void addTo(RouteTable table, HandlerMethod handler, Set<RequestMethod> methods, Set<String> paths) {
        Method method = handler.getMethod();
        Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        if (annotation == null) {
            return;
        }
        String where = IdempotentMethod.nameOf(method);
        if (!annotation.key().isEmpty()
                || !annotation.payload().isEmpty()
                || !annotation.scope().isEmpty()) {
            throw new IllegalStateException("@Idempotent on " + where + ": the key, payload and scope of a request are"
                    + " taken from the request itself, before the method has arguments. Leave them out here, and set"
                    + " semel.operations.NAME.key or define a ScopeStrategy bean where the defaults do not fit.");
        }
        String changing = changing(methods, where);
        for (String path : paths) {
            table.add(
                    "@Idempotent on " + where,
                    new RequestPattern(changing, pattern(path, where)),
                    IdempotentMethod.operationName(annotation, method, handler.getBeanType()));
        }
    }

    private static String changing(Set<RequestMethod> methods, String where) {
        if (methods.stream().map(Enum::name).anyMatch(SafeMethods::contains)) {
            throw new IllegalStateException("@Idempotent on " + where + ": " + methods
                    + " is safe to repeat by definition and is never protected");
        }
        return methods.isEmpty()
                ? "*"
                : methods.stream().map(Enum::name).sorted().collect(Collectors.joining(","));
    }

    /** Spring's {@code /orders/{id}} is {@code /orders/*} here, and its {@code /files/{*path}} is {@code /files/**}. */
    private static String pattern(String path, String where) {
        String open = REST.matcher(path).replaceFirst("/**");
        String pattern = VARIABLE.matcher(open).replaceAll("*");
        if (pattern.replace("/**", "").matches(".*(\\*[^/]|[^/]\\*|\\?).*")) {
            throw new IllegalStateException("@Idempotent on " + where + ": the path " + path
                    + " matches parts of segments, but a policy applies to whole segments only; use a path of whole"
                    + " segments");
        }
        return pattern.isEmpty() ? "/" : pattern;
    }
}
