package dev.semel.spring;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The application's own parts of a policy, which properties name as {@code bean:NAME} or {@code class:NAME}. */
final class NamedParts {

    private static final String BEAN = "bean:";
    private static final String CLASS = "class:";

    private final ListableBeanFactory beans;

    NamedParts(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Whether a value of a property names a part. */
    static boolean isName(String value) {
        return value.startsWith(BEAN) || value.startsWith(CLASS);
    }

    /** The name of the bean in a value such as {@code bean:NAME}. */
    static Optional<String> beanIn(@Nullable String value) {
        return Optional.ofNullable(value)
                .filter(name -> name.startsWith(BEAN))
                .map(name -> name.substring(BEAN.length()));
    }

    /** @throws IllegalArgumentException when there is no such part of this type; the message says what would be right */
    <T> T of(Class<T> type, String value) {
        Optional<String> bean = beanIn(value);
        if (bean.isPresent()) {
            return bean(type, bean.get());
        }
        if (value.startsWith(CLASS)) {
            return created(type, value.substring(CLASS.length()));
        }
        throw new IllegalArgumentException("Use bean: and the name of a bean of type " + type.getSimpleName()
                + ", or class: and the full name of a class of that type.");
    }

    private <T> T bean(Class<T> type, String name) {
        List<String> names = List.of(beans.getBeanNamesForType(type));
        if (!names.contains(name)) {
            throw new IllegalArgumentException("There is no bean \"" + name + "\" of type " + type.getSimpleName()
                    + "; " + (names.isEmpty() ? "define one." : "use one of: " + String.join(", ", names) + "."));
        }
        return beans.getBean(name, type);
    }

    private static <T> T created(Class<T> type, String name) {
        Class<?> found;
        try {
            found = ClassUtils.forName(name, ClassUtils.getDefaultClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException(
                    "There is no class " + name + "; write its full name, such as shop.PaymentRule.", e);
        }
        if (!type.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    "The class " + name + " is no " + type.getSimpleName() + "; name one that implements it.");
        }
        try {
            return type.cast(BeanUtils.instantiateClass(found));
        } catch (BeansException e) {
            throw new IllegalArgumentException(
                    "The class " + name + " cannot be created without arguments (" + e.getMessage()
                            + "); define a bean, and use bean: and its name.",
                    e);
        }
    }

    /** The clock that windows of time are taken from: the application's bean, or that of the machine. */
    InstantSource clock() {
        return beans.getBeanProvider(InstantSource.class).getIfUnique(InstantSource::system);
    }
}
