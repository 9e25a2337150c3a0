package com.example;

import com.example.client.Twice;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.jdk.SemelHttpHandler;
import dev.semel.memory.MemoryStore;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders on the JDK's own server. */
public class Main {

    public static void main(String[] args) throws Exception {
        SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
        Routes routes = Routes.builder()
                .protect("POST", "/orders", RoutePolicy.of(Operation.named("order")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        AtomicInteger orders = new AtomicInteger();
        HttpHandler handler = exchange -> {
            byte[] answer = ("order " + orders.incrementAndGet()).getBytes();
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        };
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", new SemelHttpHandler(gate, handler));
        server.start();
        Twice.post(server.getAddress().getPort(), "/orders");
        server.stop(0);
        semel.close();
        System.exit(0);
    }
}
