package dev.semel.spring.messaging;

import dev.semel.messaging.kafka.spring.IdempotentKafkaListener;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Refuses {@link IdempotentKafkaListener} methods in an application without the bean that follows the annotation. */
final class UnfollowedAnnotationCheck implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        ReflectionUtils.doWithMethods(AopUtils.getTargetClass(bean), method -> check(method, beanName));
        return bean;
    }

    private static void check(Method method, String beanName) {
        if (AnnotatedElementUtils.hasAnnotation(method, IdempotentKafkaListener.class)) {
            throw new IllegalStateException("the method " + method.getName() + " of the bean " + beanName
                    + " has @IdempotentKafkaListener, but there is no bean of type IdempotentKafkaListeners, so it would"
                    + " handle duplicates: remove the annotation, and set containerFactory = IdempotentListeners.KAFKA on"
                    + " its @KafkaListener; or define the bean");
        }
    }
}
