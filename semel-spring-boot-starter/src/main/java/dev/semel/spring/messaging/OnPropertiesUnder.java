package dev.semel.spring.messaging;

import java.util.Map;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnPropertiesUnder}. */
final class OnPropertiesUnder extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Map<String, ?> attributes =
                Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnPropertiesUnder.class.getName()));
        String prefix = String.valueOf(attributes.get("value"));
        boolean set = Binder.get(context.getEnvironment())
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .isBound();
        ConditionMessage.Builder message =
                ConditionMessage.forCondition(ConditionalOnPropertiesUnder.class, "(" + prefix + ")");
        return set
                ? ConditionOutcome.match(message.foundExactly("properties"))
                : ConditionOutcome.noMatch(message.because("no property is set"));
    }
}
