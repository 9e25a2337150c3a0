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
 * The bean post-processor that connects {@link IdempotentKafkaListener} methods to their inbox. Declare it in a {@code static}
 * method:
 *
 * <pre>{@code
 * @Bean
 * static IdempotentKafkaListeners idempotentKafkaListeners(ObjectProvider<Semel> semel) {
 *     return new IdempotentKafkaListeners(group ->
 *             Inbox.of(semel.getObject(), group, KafkaMessageIds.fromHeader("idempotency-key")).build());
 * }
 * }</pre>
 */
public final class IdempotentKafkaListeners extends AbstractAdvisingBeanPostProcessor {

    /** By its name: Reactor need not be on the class path. */
    private static final String MONO = "reactor.core.publisher.Mono";

    /** @param inboxes creates the inbox of a group, when its first message is received */
    public IdempotentKafkaListeners(Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes) {
        this.advisor = new DefaultPointcutAdvisor(
                AnnotationMatchingPointcut.forMethodAnnotation(IdempotentKafkaListener.class), new ByGroup(inboxes));
        // Before Spring Kafka searches beans for listeners, so that it calls them through the proxy.
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        ReflectionUtils.doWithMethods(AopUtils.getTargetClass(bean), method -> check(method, beanName));
        return bean;
    }

    private static void check(Method method, String beanName) {
        if (!AnnotatedElementUtils.hasAnnotation(method, IdempotentKafkaListener.class)) {
            return;
        }
        String defect = defectOf(method);
        if (!defect.isEmpty()) {
            throw new IllegalStateException(
                    "@IdempotentKafkaListener on " + method.getName() + " of the bean " + beanName + ": " + defect);
        }
    }

    private static String defectOf(Method method) {
        if (Arrays.stream(method.getParameterTypes()).noneMatch(ConsumerRecord.class::equals)) {
            return "it has no parameter of type ConsumerRecord, from which the message's id is read: add one";
        }
        if ((method.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) != 0) {
            return "it is final, private or static, so Spring would call it without the inbox: make it overridable";
        }
        Class<?> returned = method.getReturnType();
        if (Future.class.isAssignableFrom(returned)
                || CompletionStage.class.isAssignableFrom(returned)
                || returned.getName().equals(MONO)) {
            return "it returns a future, so the message would count as handled too early: return the result itself";
        }
        return "";
    }

    /** Routes a call to the inbox of the listener's group. */
    private static final class ByGroup implements MethodInterceptor {

        private final Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes;
        private final Map<String, KafkaInboxAdvice> advices = new ConcurrentHashMap<>();

        ByGroup(Function<String, Inbox<ConsumerRecord<?, ?>>> inboxes) {
            this.inboxes = inboxes;
        }

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            Object target = invocation.getThis();
            Method method = AopUtils.getMostSpecificMethod(
                    invocation.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
            IdempotentKafkaListener listener =
                    AnnotatedElementUtils.findMergedAnnotation(method, IdempotentKafkaListener.class);
            if (listener == null) {
                return invocation.proceed();
            }
            return advices.computeIfAbsent(listener.group(), group -> new KafkaInboxAdvice(inboxes.apply(group)))
                    .invoke(invocation);
        }
    }
}
