package dev.semel.spring;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Finds the methods of beans that are {@link Idempotent}.
 *
 * <p>It runs after the advice that authorizes, so that a caller without permission gets no replay, and before the advice that
 * begins transactions: the transaction is begun here, so that the record is part of it.
 */
final class IdempotentAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1;

    /** Runs a call of such a method. */
    @FunctionalInterface
    interface Invoker {
        @Nullable
        Object invoke(IdempotentMethod method, MethodInvocation invocation) throws Throwable;
    }

    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final String CONTROLLER = "org.springframework.stereotype.Controller";
    private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    /** A method in a class: an inherited one has another result type and operation name in each class. */
    private record Place(Method method, Class<?> type) {}

    private final transient Map<Place, IdempotentMethod> methods = new ConcurrentHashMap<>();
    private final transient Map<String, Place> unnamed = new ConcurrentHashMap<>();

    IdempotentAdvisor(Invoker invoker) {
        setOrder(ORDER);
        setAdvice(adviceOf(invoker));
    }

    private Advice adviceOf(Invoker invoker) {
        return (MethodInterceptor) invocation -> invoker.invoke(methodOf(invocation), invocation);
    }

    private IdempotentMethod methodOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        IdempotentMethod known = find(invocation.getMethod(), type);
        if (known == null) {
            throw new IllegalStateException(invocation.getMethod() + " is not idempotent");
        }
        return known;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return !(isController(type) && answersRequests(method, type)) && find(method, type) != null;
    }

    /** A controller's requests are answered by the filter; see {@link IdempotentControllers}. */
    private static boolean isController(Class<?> type) {
        return MergedAnnotations.from(type, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .isPresent(CONTROLLER);
    }

    /** Its other methods are called like those of any bean, and would run unprotected. */
    private static boolean answersRequests(Method method, Class<?> type) {
        return MergedAnnotations.from(
                        AopUtils.getMostSpecificMethod(method, type), MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .isPresent(REQUEST_MAPPING);
    }

    private @Nullable IdempotentMethod find(Method method, Class<?> type) {
        Place place = new Place(AopUtils.getMostSpecificMethod(method, type), type);
        IdempotentMethod known = methods.get(place);
        if (known != null) {
            return known;
        }
        Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(place.method(), Idempotent.class);
        return annotation == null ? null : methods.computeIfAbsent(place, found -> parsed(found, annotation));
    }

    private IdempotentMethod parsed(Place place, Idempotent annotation) {
        IdempotentMethod method = new IdempotentMethod(place.method(), place.type(), annotation);
        if (annotation.operation().isEmpty()) {
            requireOwnName(method.operation(), place);
        }
        return method;
    }

    /** Two methods of one operation would get each other's results. */
    private void requireOwnName(String operation, Place place) {
        Place other = unnamed.putIfAbsent(operation, place);
        if (other != null && !other.equals(place)) {
            throw new IllegalStateException(
                    "@Idempotent on " + place.method() + ": its operation would have the name " + operation
                            + ", like that of " + other.method()
                            + "; give each a name, such as operation = \"place-order\"");
        }
    }

    /** The methods that were found so far. */
    Collection<IdempotentMethod> methods() {
        return methods.values();
    }
}
