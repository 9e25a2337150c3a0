package com.example;

import com.example.client.Twice;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.http.servlet.SemelFilter;
import dev.semel.memory.MemoryStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Orders in a servlet container. */
public class Main {

    private static final class Orders extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger orders = new AtomicInteger();

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setStatus(201);
            response.getWriter().print("order " + orders.incrementAndGet());
        }
    }

    public static void main(String[] args) throws Exception {
        SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
        Routes routes = Routes.builder()
                .protect("POST", "/orders", RoutePolicy.of(Operation.named("order")).build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromHeader("X-Account")).build();
        ServletContextHandler context = new ServletContextHandler("/");
        FilterHolder filter = new FilterHolder(new SemelFilter(gate));
        filter.setAsyncSupported(true);
        context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        context.addServlet(new ServletHolder(new Orders()), "/orders");
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setHandler(context);
        server.start();
        Twice.post(((ServerConnector) server.getConnectors()[0]).getLocalPort(), "/orders");
        server.stop();
        semel.close();
    }
}
