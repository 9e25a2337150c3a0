package dev.semel.examples.payments;

import dev.semel.Expiry;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.Semel;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.TransactionRunner;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.key.ScopeStrategy;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * All that it takes to make this application safe to retry: an engine on a store, a filter, and a policy per route.
 *
 * <ol>
 *   <li>Authentication comes first, since it decides whose key it is: the account is the scope.
 *   <li>Every request that is not safe by its method needs a key, on every path but that of webhooks, so that no key passes for
 *       two things.
 *   <li>Whatever a payment is answered, well or badly, is the answer: {@code failures} stays at its default, replay. Where
 *       the code does not know whether money moved, it says so itself; see {@link ProviderClient}.
 *   <li>Payments are made outside, so an attempt that vanishes leaves an unknown outcome, which the reconciler settles by
 *       asking the provider, unless a webhook has settled it before. Orders are made in the database alone, so their
 *       records are part of the same transaction, and there is nothing to find out.
 * </ol>
 */
@Configuration(proxyBeanMethods = false)
class Idempotency {

    /** Long enough for the slowest answer of the provider, short enough for a client that holds a connection. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** Its outcome can be settled on evidence; see {@link PaymentOutcomes} and {@link ProviderWebhook}. */
    static final Operation CREATE_PAYMENT = Operation.named("create-payment").retention(Retention.PAYMENT);

    /** The simulated provider is next door, and whoever tries the demo is watching. */
    private static final Duration FIRST_QUESTIONS = Duration.ofSeconds(1);

    private static final int AUTHENTICATION = 1;
    private static final int AFTER_AUTHENTICATION = 2;

    /** The engine closes the store with itself. */
    @Bean
    Semel semel(StoreUri store) {
        return Semel.on(Stores.open(store))
                .pruneEvery(Duration.ofMinutes(10), Expiry.DELETE)
                .build();
    }

    /** Finds vanished attempts and asks the provider what became of them, beside the provider's webhooks. */
    @Bean(initMethod = "start")
    Reconciler reconciler(Semel semel, PaymentOutcomes outcomes, PaymentsProperties properties) {
        ReconcilePolicy policy =
                ReconcilePolicy.DEFAULT.settleWindow(properties.settleWindow()).firstDelay(FIRST_QUESTIONS);
        return Reconciler.on(semel)
                .resolve(CREATE_PAYMENT, outcomes, policy)
                .every(properties.reconcileEvery())
                .build();
    }

    private static Routes routes(Duration lease, @Nullable TransactionRunner transactions) {
        Operation create = CREATE_PAYMENT.lease(lease);
        Operation other = Operation.named("other").lease(lease);
        Routes.Builder routes = Routes.builder().unprotected("POST", "/webhooks/provider");
        if (transactions != null) {
            Operation order =
                    Operation.named("place-order").retention(Retention.ORDER).waitUpTo(LONGEST_WAIT);
            Operation move =
                    Operation.named("move-order").retention(Retention.ORDER).waitUpTo(LONGEST_WAIT);
            routes.protect(
                            "POST",
                            "/orders",
                            RoutePolicy.of(order).inTransaction(transactions).build())
                    .protect(
                            "PUT",
                            "/orders/*/status",
                            RoutePolicy.of(move).inTransaction(transactions).build());
        }
        return routes.protect("POST", "/payments", RoutePolicy.of(create).build())
                .protect(
                        "POST",
                        "/waiting/payments",
                        RoutePolicy.of(create.waitUpTo(LONGEST_WAIT)).build())
                .protect("*", "*", RoutePolicy.of(other).build())
                .build();
    }

    @Bean
    FilterRegistrationBean<SemelFilter> idempotencyFilter(
            Semel semel, PaymentsProperties properties, ObjectProvider<TransactionRunner> transactions) {
        Routes routes = routes(properties.lease(), transactions.getIfAvailable());
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();
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
