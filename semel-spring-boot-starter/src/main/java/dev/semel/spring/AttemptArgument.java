package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.http.servlet.SemelFilter;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/** Resolves parameters of type {@link Attempt} in controller methods of Spring MVC: the attempt of the request. */
final class AttemptArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Attempt.class;
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        ServletRequest servletRequest = request.getNativeRequest(ServletRequest.class);
        Attempt attempt = servletRequest == null
                ? null
                : SemelFilter.attempt(servletRequest).orElse(null);
        if (attempt == null && !parameter.isOptional()) {
            throw new IllegalStateException(parameter.getExecutable() + " takes an Attempt, but this request is not"
                    + " protected: it has no key, or no operation matches it. Annotate the parameter with @Nullable, or"
                    + " require a key");
        }
        return attempt;
    }
}
