package dev.semel.spring;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.web.method.HandlerMethod;

/**
 * The interceptors with which Spring Security authorizes methods ({@code @PreAuthorize}, {@code @Secured}, {@code @RolesAllowed}
 * and the application's own), for calls that are asked about and not made: they run in their usual order, around a method that
 * does nothing but say that it was reached.
 *
 * <p>What looks at a result ({@code @PostAuthorize}, {@code @PostFilter}) has none here, and decides nothing.
 */
final class MethodRights {

    private final List<AuthorizationAdvisor> advisors;

    private MethodRights(Collection<AuthorizationAdvisor> advisors) {
        this.advisors = advisors.stream()
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .toList();
    }

    /** Finds them by both types that applications and Spring Security declare their beans with. */
    static MethodRights in(ListableBeanFactory beans) {
        Set<AuthorizationAdvisor> found = new LinkedHashSet<>();
        Stream.of(MethodInterceptor.class, Advisor.class)
                .flatMap(type -> beans.getBeansOfType(type).values().stream())
                .filter(AuthorizationAdvisor.class::isInstance)
                .map(AuthorizationAdvisor.class::cast)
                .forEach(found::add);
        return new MethodRights(found);
    }

    boolean isEmpty() {
        return advisors.isEmpty();
    }

    /** Whether one of them concerns the method. */
    boolean concern(HandlerMethod handler) {
        return !of(handler).isEmpty();
    }

    private List<AuthorizationAdvisor> of(HandlerMethod handler) {
        Class<?> type = AopUtils.getTargetClass(handler.createWithResolvedBean().getBean());
        return advisors.stream()
                .filter(advisor -> concerns(advisor.getPointcut(), handler.getMethod(), type))
                .toList();
    }

    private static boolean concerns(Pointcut pointcut, Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        return pointcut.getClassFilter().matches(type)
                && pointcut.getMethodMatcher().matches(specific, type);
    }

    /** The arguments of a call; asked for only where a rule refers to one. */
    @FunctionalInterface
    interface Arguments {

        /**
         * Resolves them.
         *
         * @throws IllegalStateException when they cannot be resolved
         */
        @Nullable
        Object[] resolve();
    }

    /** What happens where the method would run. */
    @FunctionalInterface
    interface Reached {
        @Nullable
        Object reached() throws Throwable;
    }

    /** Begins a call of the method, which ends where the method would run. */
    @Nullable
    Object call(HandlerMethod handler, Arguments arguments, Reached reached) throws Throwable {
        Object bean = handler.createWithResolvedBean().getBean();
        Class<?> type = AopUtils.getTargetClass(bean);
        Method method = AopUtils.getMostSpecificMethod(handler.getMethod(), type);
        @Nullable Object[] none = new Object[method.getParameterCount()];
        Arguments needed = refersToArguments(method, type) ? arguments : () -> none;
        return new Call(of(handler), 0, bean, method, needed, reached).proceed();
    }

    /**
     * Whether a rule of the method may look at arguments. Expressions name them as variables; placeholders of meta-annotations
     * may stand for such; what rules that are no expression look at is not known.
     */
    private static boolean refersToArguments(Method method, Class<?> type) {
        PreAuthorize own = AnnotatedElementUtils.findMergedAnnotation(method, PreAuthorize.class);
        PreAuthorize rule = own == null ? AnnotatedElementUtils.findMergedAnnotation(type, PreAuthorize.class) : own;
        return rule == null || rule.value().contains("#") || rule.value().contains("{");
    }

    private record Call(
            List<AuthorizationAdvisor> around,
            int next,
            Object bean,
            Method method,
            Arguments arguments,
            Reached reached)
            implements MethodInvocation {

        @Override
        public @Nullable Object proceed() throws Throwable {
            return next == around.size()
                    ? reached.reached()
                    : around.get(next).invoke(new Call(around, next + 1, bean, method, arguments, reached));
        }

        @Override
        public Method getMethod() {
            return method;
        }

        @Override
        public @Nullable Object[] getArguments() {
            return arguments.resolve();
        }

        @Override
        public Object getThis() {
            return bean;
        }

        @Override
        public AccessibleObject getStaticPart() {
            return method;
        }
    }
}
