package dev.semel.spring;

import dev.semel.Failures;
import dev.semel.Retention;
import dev.semel.http.TransactionRunner;
import dev.semel.reconcile.OutcomeResolver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Checks all operations when the beans have been created, before the first request.
 *
 * <ol>
 *   <li>Fails for properties of an operation that nothing refers to: the operation that was meant would run on the defaults.
 *   <li>Fails for an operation's settings that nothing would follow: of requests or a resolver that it does not have.
 *   <li>Warns of an operation without a resolver that is a payment or calls out, and records failures.
 * </ol>
 */
final class OperationCheck implements SmartInitializingSingleton {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    private static final String WARNING_OF_UNKNOWN =
            "operation {0} {1} and has no resolver: when an answer is lost, its"
                    + " outcome is unknown until a person settles it. Define an OutcomeResolver bean with"
                    + " @ResolvesOutcomesOf(\"{0}\")";

    private static final String WARNING_OF_FINAL_FAILURES = "operation {0} {1} whose failures are final (failures:"
            + " replay), and it has no resolver: a call that only timed out is recorded as failed, although it may"
            + " have been executed. Set semel.operations.{0}.failure-rule to safe, or semel.operations.{0}.failures"
            + " to reconcile, and define an OutcomeResolver bean with @ResolvesOutcomesOf(\"{0}\")";

    private final SemelProperties properties;
    private final Operations operations;
    private final ObjectProvider<RouteTable> routes;
    private final ObjectProvider<IdempotentAdvisor> methods;
    private final ListableBeanFactory beans;

    /** @param routes empty in an application that serves no requests; the properties of routes are checked anyway */
    OperationCheck(
            SemelProperties properties,
            Operations operations,
            ObjectProvider<RouteTable> routes,
            ObjectProvider<IdempotentAdvisor> methods,
            ListableBeanFactory beans) {
        this.properties = properties;
        this.operations = operations;
        this.routes = routes;
        this.methods = methods;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!beans.containsBean(SemelAutoConfiguration.FINGERPRINTER)) {
            Secrets.requireNone("semel.fingerprints", properties.fingerprints(), "Fingerprinter");
        }
        Set<String> resolved = resolved();
        Set<String> referredTo = referredTo(resolved);
        Set<String> required = new TreeSet<>(operations.names());
        required.removeIf(
                name -> Boolean.TRUE.equals(operations.propertiesOf(name).mayBeUnused()));
        if (!referredTo.containsAll(required)) {
            referredTo.addAll(ofBeansNotMadeYet());
        }
        for (String name : required) {
            if (!referredTo.contains(name)) {
                throw new UnusedOperationException(name, referredTo);
            }
        }
        UnfollowedSettings unfollowed = new UnfollowedSettings(operations);
        // Without the web server, controllers have no requests either, and their settings wait for it.
        routes.ifAvailable(table -> unfollowed.refuseOfRequests(required, table.operations()));
        if (properties.reconciler().enabled()) {
            unfollowed.refuseOfResolvers(required, resolved);
        }
        referredTo.addAll(operations.names());
        OutgoingCalls calls = new OutgoingCalls(beans);
        new TreeSet<>(referredTo)
                .stream().filter(name -> !resolved.contains(name)).forEach(name -> warnOfFailures(name, calls));
    }

    private Set<String> referredTo(Set<String> resolved) {
        Set<String> names = new LinkedHashSet<>(resolved);
        names.addAll(operations.referenced());
        names.addAll(routes.getIfAvailable(this::withoutRequests).operations());
        methods.stream()
                .flatMap(advisor -> advisor.methods().stream())
                .forEach(method -> names.add(method.operation()));
        return names;
    }

    private RouteTable withoutRequests() {
        TransactionRunner none = work -> {
            throw new IllegalStateException("this application serves no requests");
        };
        return new RouteTable(properties, operations, () -> none, new NamedParts(beans));
    }

    /** The operations that have a resolver. The reconciler refuses a resolver that names none. */
    private Set<String> resolved() {
        Set<String> names = new HashSet<>();
        for (String bean : beans.getBeanNamesForType(OutcomeResolver.class)) {
            ResolvesOutcomesOf of = beans.findAnnotationOnBean(bean, ResolvesOutcomesOf.class);
            names.addAll(of == null ? Set.of() : Set.of(of.value()));
        }
        return names;
    }

    /** Beans that are created later, or anew for each use, are inspected by their types. */
    private Set<String> ofBeansNotMadeYet() {
        Set<String> names = new HashSet<>();
        Arrays.stream(beans.getBeanDefinitionNames())
                .map(name -> beans.getType(name, false))
                .filter(Objects::nonNull)
                .flatMap(OperationCheck::ofMethods)
                .forEach(names::add);
        return names;
    }

    static Stream<String> ofMethods(Class<?> type) {
        Class<?> own = ClassUtils.getUserClass(type);
        MethodIntrospector.MetadataLookup<Idempotent> annotation =
                method -> AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        Map<Method, Idempotent> methods;
        try {
            methods = MethodIntrospector.selectMethods(own, annotation);
        } catch (LinkageError | IllegalStateException e) {
            // A bean of a type with an optional library in its signatures, which is not on the class path.
            return Stream.of();
        }
        return methods.entrySet().stream()
                .map(found -> IdempotentMethod.operationName(found.getValue(), found.getKey(), own));
    }

    private void warnOfFailures(String name, OutgoingCalls calls) {
        if (operations.known(name).failures() != Failures.REPLAY
                || Boolean.TRUE.equals(operations.setting(name, OperationProperties::transactional))) {
            return;
        }
        String retention = operations.setting(name, OperationProperties::retention);
        String what = Retention.PAYMENT.name().equalsIgnoreCase(retention)
                ? "is a payment (retention: payment)"
                : calls.of(name).map(client -> "calls out (" + client + ")").orElse(null);
        if (what != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    operations.isSafe(name) ? WARNING_OF_UNKNOWN : WARNING_OF_FINAL_FAILURES,
                    name,
                    what);
        }
    }
}
