package dev.semel.spring;

import dev.semel.Intent.ReplayCheck;
import dev.semel.engine.SemelEngine;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.http.Gate;
import dev.semel.http.GateBuilder;
import dev.semel.http.ProblemRenderer;
import dev.semel.http.key.ScopeStrategy;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The gate, for servlet and reactive applications alike. */
@Configuration(proxyBeanMethods = false)
class GateConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Gate semelGate(
            SemelEngine semel,
            RouteTable routes,
            ScopeStrategy scopes,
            Fingerprinter fingerprinter,
            SemelProperties properties,
            ObjectProvider<ReplayCheck> checks,
            ObjectProvider<ControllerRights> controllers,
            ObjectProvider<ProblemRenderer> renderer,
            ObjectProvider<InstantSource> clock) {
        GateBuilder gate = Gate.on(semel, routes.build(), scopes)
                .fingerprinter(fingerprinter)
                .replayCheck(all(Stream.concat(
                        controllers.orderedStream().flatMap(rights -> rights.check().stream()),
                        checks.orderedStream())));
        renderer.ifUnique(gate::problemRenderer);
        clock.ifUnique(gate::clock);
        return properties.http().configure(gate);
    }

    /** A check that allows what all allow; null where there is none. */
    static @Nullable ReplayCheck all(Stream<ReplayCheck> checks) {
        return checks.reduce(ReplayCheck::and).orElse(null);
    }
}
