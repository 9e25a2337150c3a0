package dev.semel.messaging.kafka.spring;

import dev.semel.messaging.Inbox;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The bean that gives {@link IdempotentListener} methods their inbox. Declare it in a {@code static} method, as every
 * post-processor of beans:
 *
 * <pre>{@code
 * @Bean
 * static IdempotentListeners idempotentListeners(ObjectProvider<Semel> semel) {
 *     return new IdempotentListeners(group ->
 *             Inbox.of(semel.getObject(), group, KafkaLetters.fromHeader("idempotency-key")).build());
 * }
 * }</pre>
 */
public final class IdempotentListeners extends AbstractAdvisingBeanPostProcessor {

    /** By its name: Spring Kafka waits for one, and it need not be on the class path. */
    private static final String MONO = "reactor.core.publisher.Mono";

    /** @param inboxes makes the inbox of a group, when its first message comes */
    public IdempotentListeners(Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes) {
        this.advisor = new DefaultPointcutAdvisor(
                AnnotationMatchingPointcut.forMethodAnnotation(IdempotentListener.class), new ByGroup(inboxes));
        // Before Spring Kafka looks for listeners, so that it calls them through this.
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        ReflectionUtils.doWithMethods(AopUtils.getTargetClass(bean), method -> check(method, beanName));
        return bean;
    }

    private static void check(Method method, String beanName) {
        if (!AnnotatedElementUtils.hasAnnotation(method, IdempotentListener.class)) {
            return;
        }
        String defect = defectOf(method);
        if (!defect.isEmpty()) {
            throw new IllegalStateException(
                    "@IdempotentListener on " + method.getName() + " of the bean " + beanName + ": " + defect);
        }
    }

    private static String defectOf(Method method) {
        if (Arrays.stream(method.getParameterTypes()).noneMatch(ConsumerRecord.class::equals)) {
            return "it needs a parameter of type ConsumerRecord, which the message is told apart by";
        }
        if ((method.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) != 0) {
            return "it is final, private or static, so that Spring would call it past its inbox";
        }
        Class<?> returned = method.getReturnType();
        if (Future.class.isAssignableFrom(returned)
                || CompletionStage.class.isAssignableFrom(returned)
                || returned.getName().equals(MONO)) {
            return "it returns before it is done, and the message would be taken for handled";
        }
        return "";
    }

    /** Each group has an inbox of its own. */
    private static final class ByGroup implements MethodInterceptor {

        private final Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes;
        private final Map<String, InboxAdvice> advices = new ConcurrentHashMap<>();

        ByGroup(Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes) {
            this.inboxes = inboxes;
        }

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            Object target = invocation.getThis();
            Method method = AopUtils.getMostSpecificMethod(
                    invocation.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
            IdempotentListener listener = AnnotatedElementUtils.findMergedAnnotation(method, IdempotentListener.class);
            if (listener == null) {
                return invocation.proceed();
            }
            return advices.computeIfAbsent(listener.group(), group -> new InboxAdvice(inboxes.apply(group)))
                    .invoke(invocation);
        }
    }
}
