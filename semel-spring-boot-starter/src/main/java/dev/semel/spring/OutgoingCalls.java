package dev.semel.spring;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * The operations of {@link Idempotent} methods whose bean calls another service: it, or a bean it was given, is or holds a
 * client. Clients are known by name, so that none is a dependency.
 */
final class OutgoingCalls {

    private static final Set<String> CLIENTS = Set.of(
            "java.net.http.HttpClient",
            "org.springframework.web.client.RestClient",
            "org.springframework.web.client.RestOperations",
            "org.springframework.web.reactive.function.client.WebClient",
            "org.apache.hc.client5.http.classic.HttpClient",
            "org.apache.hc.client5.http.async.HttpAsyncClient",
            "org.apache.http.client.HttpClient",
            "org.eclipse.jetty.client.HttpClient",
            "okhttp3.Call$Factory",
            "io.grpc.Channel",
            "io.grpc.stub.AbstractStub",
            "jakarta.ws.rs.client.Client",
            "software.amazon.awssdk.core.SdkClient",
            "com.stripe.StripeClient");

    private static final Set<String> CLIENT_INTERFACES = Set.of(
            "org.springframework.web.service.annotation.HttpExchange",
            "org.springframework.cloud.openfeign.FeignClient");

    /** Most beans are the framework's own, and none of them has an operation. */
    private static final String SPRING = "org.springframework.";

    /** Deeper than a controller, a service and an adapter lie; the bean factory's own parts lie further. */
    private static final int DEEPEST = 4;

    private final ListableBeanFactory beans;
    private final Map<String, Set<String>> beansOfOperations = new HashMap<>();

    OutgoingCalls(ListableBeanFactory beans) {
        this.beans = beans;
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(bean, false);
            if (type != null && !type.getName().startsWith(SPRING)) {
                OperationCheck.ofMethods(type)
                        .forEach(operation -> beansOfOperations
                                .computeIfAbsent(operation, name -> new LinkedHashSet<>())
                                .add(bean));
            }
        }
    }

    /** The client that a bean of this operation calls with, for a message. */
    Optional<String> of(String operation) {
        return beansOfOperations.getOrDefault(operation, Set.of()).stream()
                .flatMap(bean -> clientOf(bean, DEEPEST, new HashSet<>()).stream())
                .findFirst();
    }

    private Optional<String> clientOf(String bean, int depth, Set<String> seen) {
        if (depth == 0 || !seen.add(bean) || !beans.containsBean(bean)) {
            return Optional.empty();
        }
        Class<?> type = beans.getType(bean, false);
        Optional<String> own = type == null ? Optional.empty() : clientIn(ClassUtils.getUserClass(type));
        if (own.isPresent() || !(beans instanceof ConfigurableBeanFactory factory)) {
            return own;
        }
        return Arrays.stream(factory.getDependenciesForBean(bean))
                .flatMap(dependency -> clientOf(dependency, depth - 1, seen).stream())
                .findFirst();
    }

    private static Optional<String> clientIn(Class<?> type) {
        if (isClient(type)) {
            return Optional.of(type.getName());
        }
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(each -> Arrays.stream(fieldsOf(each)))
                .map(Field::getType)
                .filter(OutgoingCalls::isClient)
                .map(client -> client.getSimpleName() + " in " + type.getName())
                .findFirst();
    }

    private static Field[] fieldsOf(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError e) {
            // A field of an optional library that is not on the class path.
            return new Field[0];
        }
    }

    private static boolean isClient(Class<?> type) {
        return typesOf(type)
                .anyMatch(each -> CLIENTS.contains(each.getName())
                        || (each.isInterface()
                                && CLIENT_INTERFACES.stream()
                                        .anyMatch(name ->
                                                MergedAnnotations.from(each).isPresent(name))));
    }

    private static Stream<Class<?>> typesOf(Class<?> type) {
        return Stream.concat(
                Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass),
                ClassUtils.getAllInterfacesForClassAsSet(type).stream());
    }
}
