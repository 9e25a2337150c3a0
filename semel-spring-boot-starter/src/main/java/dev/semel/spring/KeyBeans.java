package dev.semel.spring;

import dev.semel.http.key.KeyStrategy;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;

/** The key strategies that properties name as {@code bean:NAME}. */
final class KeyBeans {

    private KeyBeans() {}

    static Function<String, KeyStrategy> in(ListableBeanFactory beans) {
        return name -> {
            List<String> names = List.of(beans.getBeanNamesForType(KeyStrategy.class));
            if (!names.contains(name)) {
                throw new IllegalArgumentException("There is no bean \"" + name + "\" of type KeyStrategy; "
                        + (names.isEmpty() ? "define one." : "use one of: " + String.join(", ", names) + "."));
            }
            return beans.getBean(name, KeyStrategy.class);
        };
    }
}
