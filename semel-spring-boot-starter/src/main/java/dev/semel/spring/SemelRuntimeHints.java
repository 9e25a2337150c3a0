package dev.semel.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The files that a native image has to include: statements and scripts of the stores. */
final class SemelRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("dev/semel/jdbc/*")
                .registerPattern("dev/semel/jdbc/**")
                .registerPattern("dev/semel/redis/*")
                .registerPattern("dev/semel/redis/**");
    }
}
