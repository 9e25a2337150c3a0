package dev.semel.spring.console;

import dev.semel.admin.AdminApi;
import dev.semel.admin.access.Caller;
import dev.semel.engine.SemelEngine;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelProperties;
import dev.semel.spring.SemelReactiveAutoConfiguration;
import java.security.Principal;
import java.util.function.BiPredicate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The console of a reactive application, under the same conditions as that of a servlet application. */
@AutoConfiguration(after = {SemelAutoConfiguration.class, SemelReactiveAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBooleanProperty("semel.console.enabled")
@ConditionalOnBean({SemelEngine.class, SemelProperties.class})
@Import(ConsoleConfiguration.class)
public final class SemelReactiveConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ReactiveConsoleCallers semelConsoleCallers(SemelProperties properties) {
        ConsoleRoles roles = new ConsoleRoles(properties.console());
        BiPredicate<Principal, String> authorities = ConsoleConfiguration.authorities();
        return request -> request.principal()
                .flatMap(principal -> Mono.justOrEmpty(roles.of(authority -> authorities.test(principal, authority))
                        .map(role -> new Caller(principal.getName(), role, ConsoleHandler.remoteOf(request)))));
    }

    @Bean
    RouterFunction<ServerResponse> semelConsole(AdminApi api, ReactiveConsoleCallers callers) {
        return RouterFunctions.route(
                RequestPredicates.path(ConsoleHandler.MOUNT).or(RequestPredicates.path(ConsoleHandler.MOUNT + "/**")),
                new ConsoleHandler(api, callers));
    }
}
