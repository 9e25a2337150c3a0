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
 * <p>It stands within those who authorize and outside of those who begin transactions: whoever may not call a method gets no
 * replay of it, and a transaction is begun here, so that the record is part of it.
 */
final class IdempotentAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1;

    /** Who is asked when such a method is called. */
    @FunctionalInterface
    interface Invoker {
        @Nullable
        Object invoke(IdempotentMethod method, MethodInvocation invocation) throws Throwable;
    }

    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private static final String CONTROLLER = "org.springframework.stereotype.Controller";
    private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    /** A method that is inherited means something else in each class: its result's type, and the operation's name. */
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
        IdempotentMethod known = understood(invocation.getMethod(), type);
        if (known == null) {
            throw new IllegalStateException(invocation.getMethod() + " is not idempotent");
        }
        return known;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return !(isController(type) && answersRequests(method, type)) && understood(method, type) != null;
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

    private @Nullable IdempotentMethod understood(Method method, Class<?> type) {
        Place place = new Place(AopUtils.getMostSpecificMethod(method, type), type);
        IdempotentMethod known = methods.get(place);
        if (known != null) {
            return known;
        }
        Idempotent said = AnnotatedElementUtils.findMergedAnnotation(place.method(), Idempotent.class);
        return said == null ? null : methods.computeIfAbsent(place, found -> understood(found, said));
    }

    private IdempotentMethod understood(Place place, Idempotent said) {
        IdempotentMethod method = new IdempotentMethod(place.method(), place.type(), said);
        if (said.operation().isEmpty()) {
            requireOwnName(method.operation(), place);
        }
        return method;
    }

    /** One that answers with what the other returned would never run. */
    private void requireOwnName(String operation, Place place) {
        Place other = unnamed.putIfAbsent(operation, place);
        if (other != null && !other.equals(place)) {
            throw new IllegalStateException(
                    "@Idempotent on " + place.method() + ": it would be the operation " + operation + ", like "
                            + other.method() + "; give each a name, such as operation = \"place-order\"");
        }
    }

    /** Those that were found so far. */
    Collection<IdempotentMethod> methods() {
        return methods.values();
    }
}
