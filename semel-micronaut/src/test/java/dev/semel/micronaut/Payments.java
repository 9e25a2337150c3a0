package dev.semel.micronaut;

import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The application of the page about Micronaut. */
final class Payments {

    private Payments() {}

    @Requires(property = "application", value = "payments")
    @Filter(Filter.MATCH_ALL_PATTERN)
    static class Idempotency extends SemelServerFilter {
        Idempotency(
                Gate gate, MessageBodyHandlerRegistry bodies, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
            super(gate, bodies, blocking);
        }
    }

    @Requires(property = "application", value = "payments")
    @Factory
    static class Records {
        @Singleton
        @Bean(preDestroy = "close")
        SemelEngine semel() {
            return SemelEngine.on(new MemoryStore()).build();
        }

        @Singleton
        Gate gate(SemelEngine semel) {
            RoutePolicy payments = RoutePolicy.of(
                            Operation.named("create-payment").retention(Retention.PAYMENT))
                    .build();
            Routes routes =
                    Routes.builder().protect("POST", "/payments/**", payments).build();
            return Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Tenant")).build();
        }
    }

    @Requires(property = "application", value = "payments")
    @Controller("/payments")
    static class PaymentController {

        private final AtomicInteger payments = new AtomicInteger();

        @Post(consumes = MediaType.APPLICATION_JSON, produces = MediaType.TEXT_PLAIN)
        HttpResponse<String> pay(@Body String order) {
            return HttpResponse.created("payment " + payments.incrementAndGet() + " of " + order);
        }

        @Post(uri = "/json")
        HttpResponse<Map<String, Object>> payAsJson(@Body Map<String, Object> order) {
            return HttpResponse.created(Map.of("payment", payments.incrementAndGet(), "item", order.get("item")));
        }

        @Post(uri = "/later", consumes = MediaType.ALL, produces = MediaType.TEXT_PLAIN)
        Mono<String> payLater() {
            return Mono.fromSupplier(() -> "payment " + payments.incrementAndGet());
        }

        @Post(uri = "/streamed", consumes = MediaType.ALL, produces = MediaType.TEXT_PLAIN)
        Publisher<String> stream() {
            payments.incrementAndGet();
            return Flux.just("a", "b");
        }
    }
}
