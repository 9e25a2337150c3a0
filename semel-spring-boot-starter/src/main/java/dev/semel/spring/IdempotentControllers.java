package dev.semel.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

/** Controller methods that are {@link Idempotent}: their requests belong to the operation that they name. */
final class IdempotentControllers {

    private static final Pattern VARIABLE = Pattern.compile("\\{(?!\\*)[^/]*\\}");
    private static final Pattern REST = Pattern.compile("/\\{\\*[^/]*\\}$");
    private static final Set<RequestMethod> SAFE =
            Set.of(RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS, RequestMethod.TRACE);

    private IdempotentControllers() {}

    /** @param prefix what all their paths begin with */
    static void addTo(RouteTable table, String prefix, Map<RequestMappingInfo, HandlerMethod> handlers) {
        handlers.forEach((mapping, handler) -> {
            Idempotent said = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), Idempotent.class);
            if (said != null) {
                add(table, prefix, mapping, handler, said);
            }
        });
    }

    private static void add(
            RouteTable table, String prefix, RequestMappingInfo mapping, HandlerMethod handler, Idempotent said) {
        Method method = handler.getMethod();
        String where = IdempotentMethod.nameOf(method);
        if (!said.key().isEmpty() || !said.payload().isEmpty() || !said.scope().isEmpty()) {
            throw new IllegalStateException("@Idempotent on " + where + ": the key, payload and scope of a request come"
                    + " from the request itself, before the method has arguments. Leave them out here, and set"
                    + " semel.operations.NAME.key or a ScopeStrategy bean if need be.");
        }
        String methods = methods(mapping, where);
        for (String path : mapping.getPatternValues()) {
            table.add(
                    "@Idempotent on " + where,
                    new RequestPattern(methods, pattern(prefix + path, where)),
                    IdempotentMethod.operationName(said, method));
        }
    }

    private static String methods(RequestMappingInfo mapping, String where) {
        Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
        if (methods.stream().anyMatch(SAFE::contains)) {
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
                    + " is matched by parts of segments, which a policy cannot be; use whole segments");
        }
        return pattern.isEmpty() ? "/" : pattern;
    }
}
