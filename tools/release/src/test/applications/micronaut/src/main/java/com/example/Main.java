package com.example;

import com.example.client.Twice;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.micronaut.SemelServerFilter;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders on Micronaut. */
public class Main {

    @Filter(Filter.MATCH_ALL_PATTERN)
    static class Idempotency extends SemelServerFilter {
        Idempotency(Gate gate, MessageBodyHandlerRegistry bodies, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
            super(gate, bodies, blocking);
        }
    }

    @Factory
    static class Records {
        @Singleton
        @Bean(preDestroy = "close")
        SemelEngine semel() {
            return SemelEngine.on(new MemoryStore()).build();
        }

        @Singleton
        Gate gate(SemelEngine semel) {
            Routes routes = Routes.builder()
                    .protect("POST", "/orders", RoutePolicy.of(Operation.named("order")).build())
                    .build();
            return Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        }
    }

    @Controller("/orders")
    static class Orders {

        private final AtomicInteger orders = new AtomicInteger();

        @Post
        HttpResponse<Map<String, Object>> order(@Body Map<String, Object> order) {
            return HttpResponse.created(Map.of("order", orders.incrementAndGet()));
        }
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = Map.of("micronaut.server.host", "127.0.0.1", "micronaut.server.port", -1);
        try (ApplicationContext context = ApplicationContext.builder().properties(settings).start()) {
            Twice.post(context.getBean(EmbeddedServer.class).start().getPort(), "/orders");
        }
        // Threads of Micronaut's executor would live on for a minute.
        System.exit(0);
    }
}
