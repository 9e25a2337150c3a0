package dev.semel.examples.payments;

import dev.semel.Expiry;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Semel;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.key.ScopeStrategy;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * All that it takes to make this application safe to retry: an engine on a store, a filter, and a policy per route.
 *
 * <ol>
 *   <li>Authentication comes first, since it decides whose key it is: the account is the scope.
 *   <li>Every request that is not safe by its method needs a key, on every path, so that no key passes for two things.
 *   <li>Whatever a payment is answered, well or badly, is the answer: {@code failures} stays at its default, replay. Where
 *       the code does not know whether money moved, it says so itself; see {@link ProviderClient}.
 * </ol>
 */
@Configuration(proxyBeanMethods = false)
class Idempotency {

    /** Long enough for the slowest answer of the provider, short enough for a client that holds a connection. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final int AUTHENTICATION = 1;
    private static final int AFTER_AUTHENTICATION = 2;

    /** The engine closes the store with itself. */
    @Bean
    Semel semel(StoreUri store) {
        return Semel.on(Stores.open(store))
                .pruneEvery(Duration.ofMinutes(10), Expiry.DELETE)
                .build();
    }

    private static Routes routes(Duration lease) {
        Operation create =
                Operation.named("create-payment").retention(Retention.PAYMENT).lease(lease);
        Operation other = Operation.named("other").lease(lease);
        return Routes.builder()
                .protect("POST", "/payments", RoutePolicy.of(create).build())
                .protect(
                        "POST",
                        "/waiting/payments",
                        RoutePolicy.of(create.waitUpTo(LONGEST_WAIT)).build())
                .protect("*", "*", RoutePolicy.of(other).build())
                .build();
    }

    @Bean
    FilterRegistrationBean<SemelFilter> idempotencyFilter(Semel semel, PaymentsProperties properties) {
        Gate gate = Gate.on(semel, routes(properties.lease()), ScopeStrategy.fromPrincipal())
                .build();
        FilterRegistrationBean<SemelFilter> registration = new FilterRegistrationBean<>(new SemelFilter(gate));
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(AFTER_AUTHENTICATION);
        return registration;
    }

    @Bean
    FilterRegistrationBean<AccountFilter> accountFilter() {
        FilterRegistrationBean<AccountFilter> registration = new FilterRegistrationBean<>(new AccountFilter());
        registration.setOrder(AUTHENTICATION);
        return registration;
    }
}
