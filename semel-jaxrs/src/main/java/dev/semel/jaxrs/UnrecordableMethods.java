package dev.semel.jaxrs;

import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The resource methods whose response does not pass through filters and interceptors as a whole: it would be recorded empty or
 * in part. They are refused before anything is claimed.
 *
 * <p>Types of servlets, Jersey, RESTEasy and Reactive Streams are known by name, since none has to be on the class path.
 */
final class UnrecordableMethods {

    private static final Set<String> RESPONSES = Set.of(
            "jakarta.servlet.ServletResponse",
            "jakarta.servlet.http.HttpServletResponse",
            "org.jboss.resteasy.spi.HttpResponse");

    private static final Set<String> STREAMS = Set.of(
            Flow.Publisher.class.getName(),
            "org.reactivestreams.Publisher",
            "org.glassfish.jersey.server.ChunkedOutput");

    private static final String STREAMING_ANNOTATION = "org.jboss.resteasy.annotations.Stream";

    private UnrecordableMethods() {}

    /** Why the response of a method cannot be recorded, as a clause; empty when it can. */
    static Optional<String> reason(Class<?> resource, Method method) {
        if (producesEvents(resource, method)) {
            return Optional.of("it sends server-sent events");
        }
        if (isStream(method.getReturnType()) || isMarkedAsStream(method)) {
            return Optional.of("it returns a stream that is sent in parts");
        }
        if (Arrays.stream(method.getParameterTypes()).anyMatch(UnrecordableMethods::isResponse)
                || hasResponseField(resource)) {
            return Optional.of("it can write to the container's response itself");
        }
        return Optional.empty();
    }

    /** Whether an entity is a stream that is sent in parts after the response has been processed. */
    static boolean isStream(@Nullable Object entity) {
        return entity != null && isStream(entity.getClass());
    }

    private static boolean isStream(Class<?> type) {
        if (STREAMS.contains(type.getName())) {
            return true;
        }
        Class<?> parent = type.getSuperclass();
        return (parent != null && isStream(parent))
                || Arrays.stream(type.getInterfaces()).anyMatch(UnrecordableMethods::isStream);
    }

    private static boolean producesEvents(Class<?> resource, Method method) {
        if (Arrays.asList(method.getParameterTypes()).contains(SseEventSink.class)) {
            return true;
        }
        Produces own = method.getAnnotation(Produces.class);
        Produces produces = own == null ? resource.getAnnotation(Produces.class) : own;
        return produces != null
                && Arrays.stream(produces.value()).anyMatch(type -> type.contains(MediaType.SERVER_SENT_EVENTS));
    }

    private static boolean isMarkedAsStream(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> type.getName().equals(STREAMING_ANNOTATION));
    }

    private static boolean isResponse(Class<?> type) {
        return RESPONSES.contains(type.getName());
    }

    private static boolean hasResponseField(Class<?> resource) {
        for (Class<?> each = resource; each != null; each = each.getSuperclass()) {
            if (Arrays.stream(each.getDeclaredFields()).map(Field::getType).anyMatch(UnrecordableMethods::isResponse)) {
                return true;
            }
        }
        return false;
    }
}
