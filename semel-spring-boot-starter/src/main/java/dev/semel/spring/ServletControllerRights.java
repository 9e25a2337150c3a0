package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.Intent.Replay;
import dev.semel.Intent.ReplayCheck;
import dev.semel.http.RequestView;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.OutputStream;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.support.DefaultDataBinderFactory;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ServletRequestDataBinderFactory;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Spring Security's rules for controller methods of Spring MVC, evaluated before a replay.
 *
 * <ol>
 *   <li>The method is the one that Spring MVC maps the request to. For a request that it maps to none that does the operation, such
 *       as one for the status of a key, all methods that do the operation must be allowed, and the one that it is mapped to.
 *   <li>Arguments are resolved by Spring MVC from the buffered request, and only where a rule refers to one. An {@code Attempt}
 *       and what writes the response are null.
 *   <li>Where a rule refers to arguments that cannot be resolved, the replay is refused. A request for a status has none.
 * </ol>
 */
final class ServletControllerRights implements ControllerRights {

    private static final System.Logger LOG = System.getLogger("dev.semel.spring");

    private final MethodRights rights;
    private final OperationHandlers handlers;
    private final List<RequestMappingHandlerMapping> mappings;
    private final RequestMappingHandlerAdapter adapter;

    ServletControllerRights(
            MethodRights rights,
            OperationHandlers handlers,
            List<RequestMappingHandlerMapping> mappings,
            RequestMappingHandlerAdapter adapter) {
        this.rights = rights;
        this.handlers = handlers;
        this.mappings = mappings;
        this.adapter = adapter;
    }

    @Override
    public Optional<ReplayCheck> check() {
        boolean concerned = mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .anyMatch(rights::concern);
        return concerned ? Optional.of(ReplayCheck.of(this::mayReplay)) : Optional.empty();
    }

    private boolean mayReplay(Replay replay) {
        HttpServletRequest request = replay.request(RequestView.class)
                .flatMap(view -> view.unwrap(HttpServletRequest.class))
                .map(Asked::new)
                .orElse(null);
        HandlerMethod mapped = request == null ? null : mapped(request);
        if (request != null && mapped != null) {
            boolean allowed = isAllowed(mapped, () -> arguments(mapped, request));
            if (!allowed || handlers.has(replay.operation(), mapped)) {
                return allowed;
            }
        }
        return handlers.of(replay.operation()).stream()
                .allMatch(handler -> isAllowed(handler, () -> {
                    throw new IllegalStateException("a request for the status of a key has no arguments");
                }));
    }

    private @Nullable HandlerMethod mapped(HttpServletRequest request) {
        ServletRequestPathUtils.parseAndCache(request);
        for (RequestMappingHandlerMapping mapping : mappings) {
            try {
                HandlerExecutionChain chain = mapping.getHandler(request);
                if (chain != null && chain.getHandler() instanceof HandlerMethod method) {
                    return method;
                }
            } catch (ServletException notMapped) {
                LOG.log(Level.DEBUG, "a request is mapped to no controller method", notMapped);
            } catch (Exception e) {
                throw new IllegalStateException("the controller method of a request cannot be found", e);
            }
        }
        return null;
    }

    private boolean isAllowed(HandlerMethod handler, MethodRights.Arguments arguments) {
        boolean[] reached = new boolean[1];
        try {
            rights.call(handler, arguments, () -> {
                reached[0] = true;
                throw new AccessDeniedException("asked, not called");
            });
        } catch (AccessDeniedException | AuthenticationException decided) {
            return reached[0];
        } catch (Throwable unresolved) {
            LOG.log(Level.WARNING, "a replay is refused: the rule of " + handler + " cannot be evaluated", unresolved);
            return false;
        }
        // A handler of denied calls answered in place of the method, or a rule looked at the result.
        return reached[0];
    }

    private @Nullable Object[] arguments(HandlerMethod handler, HttpServletRequest request) {
        MethodParameter[] parameters = handler.getMethodParameters();
        @Nullable Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = argument(parameters[i], request);
        }
        return arguments;
    }

    private @Nullable Object argument(MethodParameter parameter, HttpServletRequest request) {
        Class<?> type = parameter.getParameterType();
        if (type == Attempt.class
                || ServletResponse.class.isAssignableFrom(type)
                || OutputStream.class.isAssignableFrom(type)
                || Writer.class.isAssignableFrom(type)) {
            return null;
        }
        List<HandlerMethodArgumentResolver> resolvers = adapter.getArgumentResolvers();
        DefaultDataBinderFactory binders =
                new ServletRequestDataBinderFactory(List.of(), adapter.getWebBindingInitializer());
        for (HandlerMethodArgumentResolver resolver :
                resolvers == null ? List.<HandlerMethodArgumentResolver>of() : resolvers) {
            if (resolver.supportsParameter(parameter)) {
                try {
                    return resolver.resolveArgument(
                            parameter, new ModelAndViewContainer(), new ServletWebRequest(request), binders);
                } catch (Exception e) {
                    throw new IllegalStateException("an argument cannot be resolved: " + parameter, e);
                }
            }
        }
        throw new IllegalStateException("an argument cannot be resolved: " + parameter);
    }

    /** The request, with attributes of its own: what is found out here is not seen by the application. */
    private static final class Asked extends HttpServletRequestWrapper {

        private final Map<String, Object> own = new HashMap<>();
        private final Set<String> removed = new HashSet<>();

        Asked(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            Object value = own.get(name);
            return value != null ? value : removed.contains(name) ? null : super.getAttribute(name);
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            if (value == null) {
                removeAttribute(name);
            } else {
                own.put(name, value);
            }
        }

        @Override
        public void removeAttribute(String name) {
            own.remove(name);
            removed.add(name);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            Set<String> names = new HashSet<>(Collections.list(super.getAttributeNames()));
            names.removeAll(removed);
            names.addAll(own.keySet());
            return Collections.enumeration(names);
        }
    }
}
