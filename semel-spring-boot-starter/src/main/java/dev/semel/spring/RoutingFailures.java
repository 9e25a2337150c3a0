package dev.semel.spring;

import dev.semel.http.servlet.SemelFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.method.support.InvocableHandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Tells the filter which requests Spring MVC answers without a handler, so that they do not use up their key. It resolves
 * nothing: the answer is that of the resolvers that come after it.
 *
 * <ol>
 *   <li>No handler was chosen: no mapping of the path, method, parameters, or media types.
 *   <li>The handler of static resources was chosen because nothing else was, and has no such resource.
 *   <li>The method was chosen, and no argument can be made of a body of this media type, so that it was not called.
 * </ol>
 *
 * <p>Only of the first dispatch: one that a handler has made itself is part of what it did.
 */
final class RoutingFailures implements HandlerExceptionResolver, Ordered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        if (request.getDispatcherType() == DispatcherType.REQUEST && hasNoHandler(request, handler, failure)) {
            SemelFilter.notRouted(request);
        }
        return null;
    }

    private static boolean hasNoHandler(HttpServletRequest request, @Nullable Object handler, Exception failure) {
        if (handler == null) {
            // A filter of the application that asks the resolvers itself has no handler to name, though one may have
            // run.
            return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) == null;
        }
        if (handler instanceof ResourceHttpRequestHandler) {
            return failure instanceof NoResourceFoundException
                    || failure instanceof HttpRequestMethodNotSupportedException;
        }
        return failure instanceof HttpMediaTypeNotSupportedException && isOfArguments(failure);
    }

    /** Whether it was thrown while arguments were made. A handler can throw the same, when it has been at work. */
    private static boolean isOfArguments(Exception failure) {
        return isThrownIn("getMethodArgumentValues", failure) && !isThrownIn("doInvoke", failure);
    }

    private static boolean isThrownIn(String method, Exception failure) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(InvocableHandlerMethod.class.getName())
                        && frame.getMethodName().equals(method));
    }
}
