package dev.semel.spring;

import dev.semel.http.ResponseRule;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RoutePolicyBuilder;
import dev.semel.http.Routes;
import dev.semel.http.TransactionRunner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * The operation of each request: by properties, by controller methods that are {@link Idempotent}, and for all other requests
 * by {@code semel.unmatched}.
 *
 * <p>Where several patterns match a request, the most specific one decides, whatever the order in which they were written.
 */
public final class RouteTable {

    /** The operation of requests that no other matches. */
    static final String UNMATCHED = "http";

    private final Operations operations;
    private final Supplier<TransactionRunner> transactions;
    private final NamedParts parts;
    private final KeyChoice keys;
    private final List<ProtectedRoute> routes = new ArrayList<>();
    private final Map<RequestPattern, String> unprotected = new LinkedHashMap<>();

    /**
     * @param transactions called only where an operation is transactional
     * @param parts what properties name of the application's own
     */
    RouteTable(
            SemelProperties properties,
            Operations operations,
            Supplier<TransactionRunner> transactions,
            NamedParts parts) {
        this.operations = operations;
        this.transactions = transactions;
        this.parts = parts;
        this.keys = new KeyChoice(properties, operations, parts);
        for (String match : properties.unprotected()) {
            leaveUnprotected("semel.unprotected", RequestPattern.parse("semel.unprotected", match));
        }
        for (String name : operations.names()) {
            String property = "semel.operations." + name + ".match";
            for (String match : operations.propertiesOf(name).match()) {
                add(property, RequestPattern.parse(property, match), name);
            }
            policy(name, false);
        }
        policy(UNMATCHED, false);
        if (properties.unmatched() != SemelProperties.Unmatched.IGNORED) {
            add("semel.unmatched", new RequestPattern("*", "*"), UNMATCHED);
        }
    }

    /** Leaves requests unprotected, whatever else matches them. */
    void leaveUnprotected(String where, RequestPattern pattern) {
        unprotected.putIfAbsent(pattern, where);
    }

    /** Adds requests; adding the same ones twice makes no difference. */
    void add(String where, RequestPattern pattern, String operation) {
        for (ProtectedRoute route : routes) {
            if (route.pattern().equals(pattern)) {
                if (route.policy().operation().name().equals(operation)) {
                    return;
                }
                throw new InvalidConfigurationPropertyValueException(
                        where,
                        pattern,
                        "These requests belong to the operation " + operation + " here, but to "
                                + route.policy().operation().name() + " by " + route.where()
                                + "; remove one of the two.");
            }
        }
        routes.add(new ProtectedRoute(where, pattern, policy(operation, true)));
    }

    /** All routes, the most specific first. */
    public List<ProtectedRoute> routes() {
        return routes.stream()
                .sorted(Comparator.comparing(ProtectedRoute::pattern))
                .toList();
    }

    /** The names of the operations that requests belong to. */
    Set<String> operations() {
        return routes.stream().map(route -> route.policy().operation().name()).collect(Collectors.toSet());
    }

    /** The same as rules, after those for unprotected requests. */
    public Routes build() {
        Routes.Builder builder = Routes.builder();
        unprotected.forEach((pattern, where) ->
                Operations.checked(where, pattern, () -> builder.unprotected(pattern.methods(), pattern.path())));
        for (ProtectedRoute route : routes()) {
            RequestPattern pattern = route.pattern();
            Operations.checked(
                    route.where(), pattern, () -> builder.protect(pattern.methods(), pattern.path(), route.policy()));
        }
        return builder.build();
    }

    /**
     * The policy of an operation by its properties, which are checked even if no request belongs to it.
     *
     * @param routed whether requests belong to it; otherwise a transaction manager is not required
     */
    private RoutePolicy policy(String operation, boolean routed) {
        RoutePolicyBuilder policy = RoutePolicy.of(operations.known(operation));
        keys.applyTo(policy, operation);
        apply(policy, operation, "profile", OperationProperties::profile, RoutePolicyBuilder::profile);
        apply(policy, operation, "key-hygiene", OperationProperties::keyHygiene, RoutePolicyBuilder::keyHygiene);
        apply(policy, operation, "in-progress", OperationProperties::inProgress, RoutePolicyBuilder::inProgress);
        apply(
                policy,
                operation,
                "mismatch-status",
                OperationProperties::mismatchStatus,
                RoutePolicyBuilder::mismatchStatus);
        apply(
                policy,
                operation,
                "explain-mismatches",
                OperationProperties::explainMismatches,
                RoutePolicyBuilder::explainMismatches);
        apply(
                policy,
                operation,
                "refused-replay",
                OperationProperties::refusedReplay,
                RoutePolicyBuilder::refusedReplay);
        apply(policy, operation, "store-down", OperationProperties::storeDown, RoutePolicyBuilder::storeDown);
        apply(
                policy,
                operation,
                "max-request-body",
                OperationProperties::maxRequestBody,
                (builder, size) -> builder.maxRequestBody(bytes(size)));
        apply(
                policy,
                operation,
                "max-recorded-response",
                OperationProperties::maxRecordedResponse,
                (builder, size) -> builder.maxRecordedResponse(bytes(size)));
        apply(
                policy,
                operation,
                "semantic-fields",
                own -> orNull(own.semanticFields()),
                (builder, fields) -> builder.semanticFields(fields.toArray(String[]::new)));
        apply(
                policy,
                operation,
                "fingerprint-headers",
                own -> orNull(own.fingerprintHeaders()),
                (builder, names) -> builder.fingerprintHeaders(names.toArray(String[]::new)));
        apply(
                policy,
                operation,
                "not-executed-on",
                OperationProperties::notExecutedOn,
                (builder, statuses) -> builder.notExecutedOn(statuses.toArray(Integer[]::new)));
        apply(
                policy,
                operation,
                "response-rule",
                OperationProperties::responseRule,
                (builder, name) -> builder.responseRule(parts.of(ResponseRule.class, name)));
        apply(policy, operation, "transactional", OperationProperties::transactional, (builder, yes) -> {
            if (yes && routed) {
                builder.inTransaction(transactions.get());
            }
        });
        return policy.build();
    }

    /** Applies a setting, which is named if it contradicts the ones before. */
    private <T> void apply(
            RoutePolicyBuilder policy,
            String operation,
            String property,
            Function<OperationProperties, @Nullable T> what,
            BiConsumer<RoutePolicyBuilder, T> change) {
        T value = operations.setting(operation, what);
        if (value != null) {
            Operations.checked(operations.path(operation, property, what), value, () -> {
                change.accept(policy, value);
                return policy.build();
            });
        }
    }

    private static int bytes(DataSize size) {
        try {
            return Math.toIntExact(size.toBytes());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("Use less than 2 GB: bodies are held in memory.", e);
        }
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
