package dev.semel.spring.console;

import dev.semel.Operation;
import dev.semel.admin.AdminApi;
import dev.semel.admin.Catalog;
import dev.semel.admin.LiveFigures;
import dev.semel.admin.MisuseLog;
import dev.semel.admin.ReplayLog;
import dev.semel.admin.access.AdminTime;
import dev.semel.admin.access.Authenticator;
import dev.semel.engine.SemelEngine;
import dev.semel.spring.RouteTable;
import dev.semel.spring.SemelProperties;
import dev.semel.spring.StoreDoctor;
import java.security.Principal;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** The admin API of an application, of which servlet applications and reactive ones each have a transport. */
@Configuration(proxyBeanMethods = false)
class ConsoleConfiguration {

    private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

    @Bean
    LiveFigures semelLiveFigures() {
        return new LiveFigures(AdminTime.system());
    }

    @Bean
    MisuseLog semelMisuseLog() {
        return new MisuseLog(AdminTime.system());
    }

    @Bean
    ReplayLog semelReplayLog() {
        return new ReplayLog(AdminTime.system());
    }

    @Bean
    AdminApi semelAdminApi(
            SemelEngine semel,
            SemelProperties properties,
            ObjectProvider<LiveFigures> live,
            ObjectProvider<MisuseLog> misuse,
            ObjectProvider<ReplayLog> replays,
            ObjectProvider<RouteTable> routes,
            StoreDoctor doctor) {
        return AdminApi.on(semel, Authenticator.application())
                .writes(properties.console().write())
                .approvals(properties.console().approvals())
                .live(live.getObject(), misuse.getObject(), replays.getObject())
                .catalog(catalog(routes))
                .doctor(doctor::findings)
                .build();
    }

    /** Whether a principal has an authority; none has one where Spring Security is not there. */
    static BiPredicate<Principal, String> authorities() {
        return ClassUtils.isPresent(AUTHENTICATION, ConsoleConfiguration.class.getClassLoader())
                ? new SecurityAuthorities()
                : (principal, authority) -> false;
    }

    private static Catalog catalog(ObjectProvider<RouteTable> routes) {
        return new Catalog() {
            @Override
            public List<Operation> operations() {
                return all().stream()
                        .flatMap(route -> route.policy() == null
                                ? Stream.<Operation>empty()
                                : Stream.of(route.policy().operation()))
                        .distinct()
                        .toList();
            }

            @Override
            public List<Route> routes() {
                return all();
            }

            private List<Route> all() {
                RouteTable known = routes.getIfAvailable();
                return known == null
                        ? List.of()
                        : known.routes().stream()
                                .map(route -> new Route(
                                        route.pattern().methods() + " "
                                                + route.pattern().path(),
                                        route.policy()))
                                .toList();
            }
        };
    }
}
