package dev.semel.jaxrs;

import dev.semel.http.Headers;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of Quarkus REST, with what it does in its own way. Its types are known by name, since they need not be on the class
 * path.
 *
 * <ol>
 *   <li>It injects nothing into filters that a feature registers, but tells the chosen resource method.
 *   <li>It copies status and headers to the server's response before an entity is written, so that an answer in place of a
 *       response that was written already has to be copied again.
 *   <li>It sends nothing if the innermost writer was not called.
 * </ol>
 */
final class QuarkusRequest {

    private static final String SPI = "org.jboss.resteasy.reactive.server.spi.";
    private static final String REQUEST = SPI + "ResteasyReactiveContainerRequestContext";

    private static final String BLOCKING = "org.jboss.resteasy.reactive.common.core.BlockingOperationSupport";

    private final ClassLoader loader;
    private final Object context;

    private QuarkusRequest(ClassLoader loader, Object context) {
        this.loader = loader;
        this.context = context;
    }

    /** The request; empty for one of another implementation. */
    static Optional<QuarkusRequest> of(ContainerRequestContext request) {
        ClassLoader loader = request.getClass().getClassLoader();
        try {
            Class<?> type = Class.forName(REQUEST, false, loader);
            return type.isInstance(request)
                    ? Optional.of(new QuarkusRequest(
                            loader, type.getMethod("getServerRequestContext").invoke(request)))
                    : Optional.empty();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw unsupported(e);
        }
    }

    /** The resource method that was chosen. */
    ResourceInfo resource() {
        return (ResourceInfo) call("ServerRequestContext", context, "getResteasyReactiveResourceInfo");
    }

    /** Whether the calling thread may block, as the store does; an event loop may not. */
    boolean mayBlock() {
        try {
            return (boolean) Class.forName(BLOCKING, false, loader)
                    .getMethod("isBlockingAllowed")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw unsupported(e);
        }
    }

    /** Copies status and headers again, in place of those headers that were copied before. */
    void copyHead(ContainerResponseContext response, Collection<String> before) {
        Object server = call("ServerRequestContext", context, "serverResponse");
        before.forEach(name -> removeHeader(server, name));
        // The type that Quarkus has chosen for the entity is in no header of the response.
        removeHeader(server, HttpHeaders.CONTENT_TYPE);
        call("ServerHttpResponse", server, "setStatusCode", int.class, response.getStatus());
        for (Map.Entry<String, List<String>> header :
                response.getStringHeaders().entrySet()) {
            header.getValue().forEach(value -> addHeader(server, header.getKey(), value));
        }
    }

    /** Sets headers of a response whose head was copied before. */
    void setHeaders(Headers headers) {
        Object server = call("ServerRequestContext", context, "serverResponse");
        for (Headers.Line line : headers) {
            removeHeader(server, line.name());
            addHeader(server, line.name(), line.value());
        }
    }

    private void removeHeader(Object server, String name) {
        call("ServerHttpResponse", server, "removeResponseHeader", String.class, name);
    }

    private void addHeader(Object server, String name, String value) {
        try {
            type("ServerHttpResponse")
                    .getMethod("addResponseHeader", CharSequence.class, CharSequence.class)
                    .invoke(server, name, value);
        } catch (ReflectiveOperationException e) {
            throw unsupported(e);
        }
    }

    private Object call(String type, Object target, String method) {
        try {
            return type(type).getMethod(method).invoke(target);
        } catch (ReflectiveOperationException e) {
            throw unsupported(e);
        }
    }

    private void call(String type, Object target, String method, Class<?> parameter, Object argument) {
        try {
            type(type).getMethod(method, parameter).invoke(target, argument);
        } catch (ReflectiveOperationException e) {
            throw unsupported(e);
        }
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(SPI + name, false, loader);
    }

    private static IllegalStateException unsupported(ReflectiveOperationException e) {
        return new IllegalStateException(
                "this version of Quarkus REST is not supported: tested with 3.26",
                e instanceof InvocationTargetException ? e.getCause() : e);
    }
}
