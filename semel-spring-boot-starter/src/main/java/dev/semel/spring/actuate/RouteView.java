package dev.semel.spring.actuate;

import dev.semel.Operation;
import dev.semel.http.RoutePolicy;
import dev.semel.spring.ProtectedRoute;
import java.util.Locale;

/**
 * Protected requests and their policy.
 *
 * @param where the property or method that protects them
 * @param key {@code required}, {@code optional} or {@code derived}
 * @param inProgress the answer to a duplicate of a running request: {@code conflict} (409) or {@code accepted} (202)
 */
record RouteView(
        String methods,
        String path,
        String operation,
        String where,
        String key,
        String retention,
        String lease,
        String maxWait,
        String failures,
        boolean reexecutable,
        boolean transactional,
        String inProgress,
        int mismatchStatus,
        String storeDown,
        int maxRequestBody,
        int maxRecordedResponse) {

    static RouteView of(ProtectedRoute route) {
        RoutePolicy policy = route.policy();
        Operation operation = policy.operation();
        return new RouteView(
                route.pattern().methods(),
                route.pattern().path(),
                operation.name(),
                route.where(),
                asProperty(policy.keyMode()),
                operation.retention().toString(),
                operation.lease().toString(),
                operation.maxWait().toString(),
                asProperty(operation.failures()),
                operation.reexecutable(),
                policy.isInTransaction(),
                asProperty(policy.inProgress()),
                policy.mismatchStatus(),
                asProperty(policy.storeDown()),
                policy.maxRequestBody(),
                policy.maxRecordedResponse());
    }

    private static String asProperty(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
