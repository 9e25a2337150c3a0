package dev.semel.spring;

import dev.semel.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The rule for exceptions of every operation.
 *
 * <ol>
 *   <li>The application's bean, or of several the primary one. Beans that {@code failure-rule} names are for their operations.
 *   <li>Without one, with Spring Security, that its exceptions mean that nothing was executed.
 * </ol>
 */
final class FailureRules {

    private static final String SECURITY = "org.springframework.security.access.AccessDeniedException";

    private FailureRules() {}

    static Failures.Rule forAll(SemelProperties properties, ListableBeanFactory beans) {
        Set<String> named = Stream.concat(Stream.of(properties.defaults()), properties.operations().values().stream())
                .flatMap(operation -> NamedParts.beanIn(operation.failureRule()).stream())
                .collect(Collectors.toSet());
        List<String> others = new ArrayList<>(List.of(beans.getBeanNamesForType(Failures.Rule.class)));
        others.removeAll(named);
        if (others.size() == 1) {
            return beans.getBean(others.get(0), Failures.Rule.class);
        }
        if (others.size() > 1) {
            // The primary one, or Spring's exception that names all of them.
            return beans.getBean(Failures.Rule.class);
        }
        return ClassUtils.isPresent(SECURITY, FailureRules.class.getClassLoader())
                ? new SecurityFailures()
                : Failures.Rule.NONE;
    }
}
