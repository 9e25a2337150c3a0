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
 * Marks the requests that Spring MVC answers without a handler, so that their key is released. It resolves nothing: the
 * resolvers after it give the answer.
 *
 * <ol>
 *   <li>No handler was chosen: no mapping of the path, method, parameters, or media types.
 *   <li>The handler of static resources was chosen because nothing else was, and has no such resource.
 *   <li>The method was chosen, and no argument can be made of a body of this media type, so that it was not called.
 * </ol>
 *
 * <p>Only in the first dispatch: a later one was made by a handler, which has run.
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
            // A filter of the application that calls the resolvers itself passes no handler, although one may have run.
            return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) == null;
        }
        if (handler instanceof ResourceHttpRequestHandler) {
            return failure instanceof NoResourceFoundException
                    || failure instanceof HttpRequestMethodNotSupportedException;
        }
        return failure instanceof HttpMediaTypeNotSupportedException && isOfArguments(failure);
    }

    /** Whether it was thrown while arguments were resolved. The handler itself can throw the same after it has run. */
    private static boolean isOfArguments(Exception failure) {
        return isThrownIn("getMethodArgumentValues", failure) && !isThrownIn("doInvoke", failure);
    }

    private static boolean isThrownIn(String method, Exception failure) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(InvocableHandlerMethod.class.getName())
                        && frame.getMethodName().equals(method));
    }
}
